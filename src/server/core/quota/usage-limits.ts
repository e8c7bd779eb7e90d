import { completionTokens, promptTokens, type ToolCalls, type Usage } from '../chat/usage.ts';
import { priceEntries } from './tool-prices.ts';

/**
 * What an honest usage report cannot exceed, in tokens. The limits leave room for whatever upstreams add unasked;
 * they catch only false or broken reports (docs/billing.md, "Which report counts").
 */
export interface UsageLimits {
  /** Undefined if the upstream may read more than was sent. */
  readonly promptTokens: number | undefined;
  /** In addition to one token for each byte of the text; undefined if the upstream may write what is not shown. */
  readonly answerTokens: number | undefined;
  /** The same for an answer with thoughts, pictures or sound. */
  readonly richAnswerTokens: number | undefined;
  /** Whether it may run tools of its own. */
  readonly hasTools: boolean;
}

/** Room for text that an upstream adds to a prompt: as much as most models can read. */
export const OWN_PROMPT_TOKENS = 131_072;
/** Room for what an answer has beside its text. */
export const OWN_ANSWER_TOKENS = 4096;

/** What was seen of the answer that the report is about. */
interface Seen {
  readonly outputBytes: number;
  /** It has mentioned thinking. */
  readonly thinks: boolean;
}

/** Which sides of a report cannot be true. */
export interface ImpossibleSides {
  readonly prompt: boolean;
  readonly answer: boolean;
}

const NEITHER: ImpossibleSides = { prompt: false, answer: false };

/** Whether a report is below every limit, as almost all are. */
export const isSmall = (reported: Usage): boolean =>
  promptTokens(reported) <= OWN_PROMPT_TOKENS && completionTokens(reported) <= OWN_ANSWER_TOKENS;

/** Whether a report claims a longer prompt or answer than the call can have had. */
export const impossibleSides = (
  reported: Usage,
  limits: UsageLimits | undefined,
  { outputBytes, thinks }: Seen,
): ImpossibleSides => {
  if (limits === undefined || reported.estimated) return NEITHER;
  const { promptTokens: mostPrompt = Infinity, answerTokens, richAnswerTokens } = limits;
  const { reasoningTokens, imageOutputTokens, audioOutputTokens } = reported;
  const isRich = thinks || reasoningTokens + imageOutputTokens + audioOutputTokens > 0;
  const mostAnswer = (isRich ? richAnswerTokens : answerTokens) ?? Infinity;
  return {
    prompt: promptTokens(reported) > mostPrompt,
    answer: completionTokens(reported) > mostAnswer + outputBytes,
  };
};

/** The reported calls of the upstream's own tools; undefined if it has none. */
export const possibleCalls = (
  calls: ToolCalls | undefined,
  limits: UsageLimits | undefined,
): ToolCalls | undefined =>
  limits?.hasTools === false || priceEntries(calls).length === 0 ? undefined : calls;
