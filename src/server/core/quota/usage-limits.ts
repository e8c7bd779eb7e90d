import { completionTokens, promptTokens, type ToolCalls, type Usage } from '../chat/usage.ts';
import { priceEntries } from './tool-prices.ts';

/**
 * What an honest report about a call cannot exceed, in tokens. It leaves room for all that upstreams do unasked; it is
 * there for those that lie or are broken (docs/billing.md, "Which report counts").
 */
export interface UsageLimits {
  /** Undefined where the upstream may read what was not sent. */
  readonly promptTokens: number | undefined;
  /** Beside the bytes of the answer's text; undefined where the upstream may write what is not shown. */
  readonly answerTokens: number | undefined;
  /** The same for an answer with thoughts, pictures or sound. */
  readonly richAnswerTokens: number | undefined;
  /** Whether it may run tools of its own. */
  readonly hasTools: boolean;
}

/** The room for texts that an upstream puts before a prompt unasked: no longer than what most models can read. */
export const OWN_PROMPT_TOKENS = 131_072;
/** The same for what an answer has beside its text. */
export const OWN_ANSWER_TOKENS = 4096;

/** What was seen of the answer that the report is about. */
interface Seen {
  readonly outputBytes: number;
  /** It has mentioned thinking. */
  readonly thinks: boolean;
}

/** The sides of a report that cannot be true. */
export interface ImpossibleSides {
  readonly prompt: boolean;
  readonly answer: boolean;
}

const NEITHER: ImpossibleSides = { prompt: false, answer: false };

/** Whether a report is too small for any limit, as almost all are. */
export const isSmall = (reported: Usage): boolean =>
  promptTokens(reported) <= OWN_PROMPT_TOKENS && completionTokens(reported) <= OWN_ANSWER_TOKENS;

/** Judges a report: what no model can have read of what was sent, or have written of what was asked for. */
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

/** The calls of the upstream's own tools, as it tells them; none where it has no tools. */
export const possibleCalls = (
  calls: ToolCalls | undefined,
  limits: UsageLimits | undefined,
): ToolCalls | undefined =>
  limits?.hasTools === false || priceEntries(calls).length === 0 ? undefined : calls;
