import { AppError } from '#core/error.ts';
import { DEFAULT_OUTPUT_TOKENS } from '#core/quota/estimate.ts';

/*
 * How long a whole answer is that tells how likely its words were, before it is asked for: one that is too long is paid for and
 * read by nobody. docs/decisions/0049.
 */

/** No answer is longer. */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024;
/** Of one word or alternative: its text, its bytes one by one, with OpenAI's blanks and line ends. */
const ENTRY_BYTES = 320;

/** What decides how long such an answer is. */
export interface AskedLogprobs {
  /** The field that asks for alternatives. */
  readonly param: string;
  /** Each event of a stream is told and forgotten. */
  readonly stream: boolean;
  /** Alternatives of each word; undefined where none is told how likely it is. */
  readonly top: number | undefined;
  readonly answers: number;
  /** The longest answer, if the caller says so. */
  readonly maxTokens: number | null | undefined;
  /** Words of the prompt that are told as well. */
  readonly promptTokens?: number;
}

/**
 * The longest answer that can be told with its probabilities, where a longer one may be made; undefined where none may. Throws
 * `invalid_request` where none at all can be told.
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
