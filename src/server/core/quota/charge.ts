import { completionTokens, noUsage, promptTokens, type ToolCalls, type Usage } from '../chat/usage.ts';
import { isPlausible } from './merge-reports.ts';
import { impossibleSides, possibleCalls, type UsageLimits } from './usage-limits.ts';

/** The facts about the end of a call that decide its charge. */
export interface CallEnd {
  /** The upstream's usage reports, merged; undefined if it sent none. */
  readonly reported: Usage | undefined;
  /** The upstream produced text, a tool call or a finish, whether or not the caller was still there to see it. */
  readonly produced: boolean;
  /** UTF-8 bytes of the answer. */
  readonly outputBytes: number;
  /** How many of them came after the last usage report that counted output; 0 if there was none. */
  readonly unreportedBytes?: number;
  /** How many of the answer's bytes came after the caller had left. */
  readonly unshownBytes?: number;
  /** Hidden thinking tokens, if known without a usage report. */
  readonly unseenTokens?: number;
  /** The prompt as estimated for the hold: an upper bound, about twice the real count of prose. */
  readonly inputTokensEstimate: number;
  /** How many of them are of sound. */
  readonly soundTokens?: number | undefined;
  /** How many of them are certain: sent as token numbers, or kept by the upstream, which reported their number. */
  readonly knownTokens?: number | undefined;
  /** The caller asked that what is written to a cache stays there for an hour. */
  readonly keepsAnHour?: boolean | undefined;
  /** The upstream said that the answer is finished, so its last report is final. */
  readonly complete: boolean;
  /** Calls of the upstream's own tools, paid per call. */
  readonly toolCalls?: ToolCalls | undefined;
  /** The answer has mentioned thinking. */
  readonly thinks?: boolean;
  /** The answer is spoken: its text is what is said. */
  readonly speaks?: boolean;
  /** What an honest report cannot exceed; missing if that was not checked. */
  readonly limits?: UsageLimits | undefined;
}

/** How a call ends for its payer. */
export type Charge =
  | { readonly action: 'void'; readonly why: 'nothing_produced' }
  | { readonly action: 'settle'; readonly usage: Usage };

/** Average UTF-8 bytes per token of plain text; a little high, in the caller's favour. */
export const BYTES_PER_TOKEN = 4;

/** So many times the tokens of plain text are held. */
export const HOLD_TO_FAIR = 2;
export const HELD_BYTES_PER_TOKEN = BYTES_PER_TOKEN / HOLD_TO_FAIR;

const countedOutput = (outputBytes: number): number => Math.ceil(outputBytes / BYTES_PER_TOKEN);

/** A second of sound is held as 32 tokens; OpenAI counts 10. */
const HOLD_TO_FAIR_SOUND = 3;

/** Our own count of a prompt. */
const countedPrompt = ({ inputTokensEstimate, soundTokens = 0, knownTokens = 0 }: CallEnd) => ({
  inputTokens: Math.ceil((inputTokensEstimate - soundTokens - knownTokens) / HOLD_TO_FAIR) + knownTokens,
  audioInputTokens: Math.ceil(soundTokens / HOLD_TO_FAIR_SOUND),
});

/** A report is accepted as final unless we count more than this many times the tokens it reports. */
const MOST_UNTOLD = 2;

/**
 * What to charge for a call, however it ended (docs/billing.md, "What is charged when the call is over"):
 * 1. the usage the upstream reported, if it is plausible. Our own count is the minimum for a stream that broke off, for
 * a complete one that sent most of its text after the last report, and for counts wrongly reported as 0; it takes the
 * place of a prompt or an answer that cannot have been as long as reported
 * 2. else, if something was produced, our count of prompt and text
 * 3. else nothing: the hold is voided
 *
 * Text that came after the caller had left is subtracted at the rate of plain text.
 *
 * Calls of the upstream's own tools are added, unless nothing is charged.
 */
export const chargeFor = (end: CallEnd): Charge => {
  const charge = withAges(lessUnshown(chargeForTokens(end), end), end);
  const toolCalls = possibleCalls(end.toolCalls, end.limits);
  if (charge.action === 'void' || toolCalls === undefined) return charge;
  return { action: 'settle', usage: { ...charge.usage, toolCalls } };
};

const withAges = (charge: Charge, { keepsAnHour }: CallEnd): Charge =>
  charge.action === 'void' ? charge : { action: 'settle', usage: withAgesOf(charge.usage, keepsAnHour) };

/**
 * Some upstreams tell how much was written to a cache, and not for how long. A caller who asked for an hour pays for one:
 * a cheaper service has to be confirmed.
 */
export const withAgesOf = (told: Usage, keepsAnHour = false): Usage => {
  if (told.writesUndated === undefined) return told;
  const { writesUndated: _, ...usage } = told;
  if (!keepsAnHour) return usage;
  return { ...usage, cacheWrite5mTokens: 0, cacheWrite1hTokens: usage.cacheWrite5mTokens };
};

/** The report, if it is plausible and not empty; else undefined. */
export const believedReport = (reported: Usage | undefined): Usage | undefined =>
  reported !== undefined && isPlausible(reported) && promptTokens(reported) + completionTokens(reported) > 0
    ? reported
    : undefined;

const lessUnshown = (charge: Charge, { unshownBytes = 0 }: CallEnd): Charge => {
  if (charge.action === 'void' || unshownBytes === 0) return charge;
  const { usage } = charge;
  const words = usage.outputTokens - usage.reasoningTokens;
  const unshown = Math.min(words, Math.floor(unshownBytes / BYTES_PER_TOKEN));
  return {
    action: 'settle',
    usage: { ...usage, outputTokens: usage.outputTokens - unshown, estimated: true },
  };
};

/**
 * The tokens of sound for a byte of spoken text, beside the text itself. A second has about fifteen letters and 20 or
 * more tokens of sound, so this is a little low, in the caller's favour.
 */
const SOUND_PER_BYTE = 1.25;

/** Our own count of an answer that broke off: its text, its sound, and the thoughts before it. */
const countedAnswer = ({ outputBytes, unseenTokens = 0, speaks = false }: CallEnd) => ({
  outputTokens: countedOutput(outputBytes) + unseenTokens,
  reasoningTokens: unseenTokens,
  ...(speaks && { audioOutputTokens: Math.ceil(outputBytes * SOUND_PER_BYTE) }),
});

const chargeForTokens = (end: CallEnd): Charge => {
  const reported = believedReport(end.reported);
  if (reported !== undefined) {
    if (!end.complete && !end.produced) return { action: 'void', why: 'nothing_produced' };
    return { action: 'settle', usage: filledIn(withoutImpossible(reported, end), end) };
  }
  if (!end.produced) return { action: 'void', why: 'nothing_produced' };
  return {
    action: 'settle',
    usage: {
      ...noUsage,
      ...countedPrompt(end),
      ...countedAnswer(end),
      estimated: true,
    },
  };
};

/** A report whose impossible sides are replaced by our own count. */
const withoutImpossible = (reported: Usage, end: CallEnd): Usage => {
  const { limits, outputBytes, thinks = false } = end;
  const { prompt, answer } = impossibleSides(reported, limits, { outputBytes, thinks });
  if (!prompt && !answer) return reported;
  const of = prompt ? { ...noUsage, ...countedPrompt(end) } : reported;
  const { outputTokens, audioOutputTokens, imageOutputTokens, reasoningTokens } = reported;
  const told = { outputTokens, audioOutputTokens, imageOutputTokens, reasoningTokens };
  const counted = { audioOutputTokens: 0, imageOutputTokens: 0, ...countedAnswer(end) };
  return { ...of, ...(answer ? counted : told), estimated: true };
};

/** A report completed with our own counts where it lacks something. */
const filledIn = (reported: Usage, end: CallEnd): Usage => {
  const reportedTokens = completionTokens(reported);
  const { outputTokens: counted, reasoningTokens, audioOutputTokens = 0 } = countedAnswer(end);
  const isOlder = (end.unreportedBytes ?? 0) > 0 && counted > reportedTokens * MOST_UNTOLD;
  const isShort = counted > reportedTokens && (!end.complete || reportedTokens === 0 || isOlder);
  // An answer with text must have had a prompt.
  const lacksPrompt = promptTokens(reported) === 0 && end.outputBytes > 0 && reported.estimated !== true;
  if (!isShort && !lacksPrompt) return reported;
  return {
    ...reported,
    ...(lacksPrompt && countedPrompt(end)),
    ...(isShort && {
      outputTokens: counted - (reportedTokens - reported.outputTokens),
      reasoningTokens: Math.max(reported.reasoningTokens, reasoningTokens),
      audioOutputTokens: Math.max(reported.audioOutputTokens, audioOutputTokens),
    }),
    estimated: true,
  };
};
