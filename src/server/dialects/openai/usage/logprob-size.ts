import { AppError } from '#core/error.ts';
import { DEFAULT_OUTPUT_TOKENS } from '#core/quota/estimate.ts';

/*
 * Estimates the length of a whole answer with log probabilities before it is requested, because one that is too long
 * would be paid for but not delivered (docs/decisions/0049).
 */

/** The longest answer that is delivered. */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024;
/** The bytes of one token or alternative: its text, its bytes as numbers, and OpenAI's white space. */
const ENTRY_BYTES = 320;

/** What determines the length of such an answer. */
export interface AskedLogprobs {
  /** The field that requests alternatives, for the error. */
  readonly param: string;
  /** A stream needs no limit: each event is sent on and forgotten. */
  readonly stream: boolean;
  /** Alternatives per token; undefined if log probabilities are not requested. */
  readonly top: number | undefined;
  readonly answers: number;
  /** The caller's limit of tokens per answer, if any. */
  readonly maxTokens: number | null | undefined;
  /** Prompt tokens that are returned with log probabilities, too. */
  readonly promptTokens?: number;
}

/**
 * The limit of tokens to set on each answer so that it can be delivered with its log probabilities; absent if none is
 * needed. Throws `invalid_request` if not even one token would fit.
 */
export const loggedTokensMost = ({
  param,
  stream,
  top,
  answers,
  maxTokens,
  promptTokens = 0,
}: AskedLogprobs): { readonly answerTokensMost?: number } => {
  if (stream || top === undefined) return NO_LIMIT;
  const all = Math.floor(ANSWER_MAX_BYTES / ((1 + top) * ENTRY_BYTES)) - promptTokens;
  const each = Math.floor(all / answers);
  if (each >= 0 && (maxTokens ?? DEFAULT_OUTPUT_TOKENS) <= each) return NO_LIMIT;
  if (each >= 1) return { answerTokensMost: each };
  throw new AppError(
    'invalid_request',
    `'${param}': ${top} alternatives for each word make an answer of more than 64 MiB: ask for fewer, or for a stream`,
    { param },
  );
};

const NO_LIMIT = {};
