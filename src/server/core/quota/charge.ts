import { completionTokens, noUsage, promptTokens, type ToolCalls, type Usage } from '../chat/usage.ts';
import { isPlausible } from './merge-reports.ts';

/** How a call ended, as far as its price is concerned. */
export interface CallEnd {
  /** What the upstream reported, all its reports merged; undefined where it reported nothing. */
  readonly reported: Usage | undefined;
  /** The caller was shown something, or would have been had it stayed: text, a tool call, a finish. */
  readonly produced: boolean;
  /** UTF-8 bytes of answer that passed. */
  readonly outputBytes: number;
  /** The prompt as it was estimated for the hold: an upper estimate, about twice what prose comes to. */
  readonly inputTokensEstimate: number;
  /** The upstream said that its answer was finished: its last report is final. */
  readonly complete: boolean;
  /** Tools the upstream ran itself and is paid for by the call. */
  readonly toolCalls?: ToolCalls | undefined;
}

export type Charge =
  | { readonly action: 'void'; readonly why: 'nothing_produced' }
  | { readonly action: 'settle'; readonly usage: Usage };

/** UTF-8 bytes of a token of plain text, on average; a little high, so that counting rather favours the caller. */
const BYTES_PER_TOKEN = 4;

/** Dialects estimate a prompt at two bytes a token for the hold, half of what plain text needs. */
const HOLD_TO_FAIR = 2;

const countedOutput = (outputBytes: number): number => Math.ceil(outputBytes / BYTES_PER_TOKEN);

/**
 * What a call is charged for, however it ended (docs/billing.md):
 * 1. the usage the upstream reported, where it is plausible; a stream that broke off before its end is charged at
 *    least the text that passed, because its last report may be older than its last word
 * 2. else, where something was produced, the prompt and the text counted
 * 3. else nothing: the hold is given back
 *
 * Calls of tools that the upstream ran itself are paid beside the tokens, where anything is.
 */
export const chargeFor = (end: CallEnd): Charge => {
  const charge = chargeForTokens(end);
  const { toolCalls } = end;
  if (charge.action === 'void' || toolCalls === undefined || Object.keys(toolCalls).length === 0)
    return charge;
  return { action: 'settle', usage: { ...charge.usage, toolCalls } };
};

const chargeForTokens = (end: CallEnd): Charge => {
  const { reported } = end;
  if (
    reported !== undefined &&
    isPlausible(reported) &&
    promptTokens(reported) + completionTokens(reported) > 0
  ) {
    if (end.complete) return { action: 'settle', usage: reported };
    if (!end.produced) return { action: 'void', why: 'nothing_produced' };
    const counted = countedOutput(end.outputBytes);
    if (counted <= completionTokens(reported)) return { action: 'settle', usage: reported };
    return {
      action: 'settle',
      usage: {
        ...reported,
        outputTokens: counted - (completionTokens(reported) - reported.outputTokens),
        estimated: true,
      },
    };
  }
  if (!end.produced) return { action: 'void', why: 'nothing_produced' };
  return {
    action: 'settle',
    usage: {
      ...noUsage,
      inputTokens: Math.ceil(end.inputTokensEstimate / HOLD_TO_FAIR),
      outputTokens: countedOutput(end.outputBytes),
      estimated: true,
    },
  };
};
