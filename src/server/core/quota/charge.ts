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
  /** How much of it came after the last report that told the answer; 0 where none did. */
  readonly unreportedBytes?: number;
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

const countedInput = ({ inputTokensEstimate }: CallEnd): number =>
  Math.ceil(inputTokensEstimate / HOLD_TO_FAIR);

/** A report that is followed by more text is taken for the last word while the text is not so many times what it tells. */
const MOST_UNTOLD = 2;

/**
 * What a call is charged for, however it ended (docs/billing.md):
 * 1. the usage the upstream reported, where it is plausible; a stream that broke off before its end is charged at
 *    least the text that passed, because its last report may be older than its last word; so is a whole one that said
 *    most of its text after its last report, and what a report tells as 0 and was there is counted
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
    if (!end.complete && !end.produced) return { action: 'void', why: 'nothing_produced' };
    return { action: 'settle', usage: filledIn(reported, end) };
  }
  if (!end.produced) return { action: 'void', why: 'nothing_produced' };
  return {
    action: 'settle',
    usage: {
      ...noUsage,
      inputTokens: countedInput(end),
      outputTokens: countedOutput(end.outputBytes),
      estimated: true,
    },
  };
};

/** A report, with what it cannot have known counted. */
const filledIn = (reported: Usage, end: CallEnd): Usage => {
  const told = completionTokens(reported);
  const counted = countedOutput(end.outputBytes);
  const isOlder = (end.unreportedBytes ?? 0) > 0 && counted > told * MOST_UNTOLD;
  const isShort = counted > told && (!end.complete || told === 0 || isOlder);
  // Whoever was answered in words had asked for something.
  const lacksPrompt = promptTokens(reported) === 0 && end.outputBytes > 0 && reported.estimated !== true;
  if (!isShort && !lacksPrompt) return reported;
  return {
    ...reported,
    ...(lacksPrompt && { inputTokens: countedInput(end) }),
    ...(isShort && { outputTokens: counted - (told - reported.outputTokens) }),
    estimated: true,
  };
};
