import { AppError } from '#core/error.ts';

/*
 * How long an answer of vectors is, before it is asked for: one that is too long is paid for and read by nobody.
 * docs/decisions/0049.
 */

/** OpenAI, Azure, Google and Jina take this many; others take fewer. */
export const MOST_INPUTS = 2048;

/** No answer is longer. */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024;
/** Of one vector, beside its numbers. */
const AROUND_BYTES = 256;
/** With all digits of a double, or with OpenAI's spaces and line end. */
const BYTES_AS_TEXT = 24;
/** Four bytes, and a third for base64. */
const BYTES_PACKED = 16 / 3;

/** How many numbers a vector has at first, by names of models. Sources: their makers' pages, November 2026. */
const LENGTHS: readonly (readonly [RegExp, number])[] = [
  [/text-embedding-3-large|gemini-embedding|text-embedding-large-exp|embed-v-?4/, 3072],
  [
    /text-embedding-(?:3-small|ada-002)|titan-embed-(?:g1-)?text-(?:v1|02)|cohere\.embed-v4|codestral-embed/,
    1536,
  ],
  [/qwen3-embedding-8b|nv-embed|e5-mistral|doubao-embedding-large-text-24|sfr-embedding/, 4096],
  [/qwen3-embedding-4b|doubao-embedding(?!-large)|pplx-embed.*4b/, 2560],
  [/doubao-embedding-large|jina-embeddings-v4|embedding-3$/, 2048],
  [
    /bge-(?:m3|large)|e5-large|embed-(?:english|multilingual)|jina-embeddings|mistral-embed|voyage|mxbai|gte-large/,
    1024,
  ],
  [/text-embedding-v[1-4]|titan-embed|qwen3-embedding-0\.6b|snowflake-arctic-embed-l|solar-embedding/, 1536],
  [
    /text-(?:multilingual-)?embedding-0|embedding-001|bge-base|e5-base|nomic-embed|embeddinggemma|multimodalembedding/,
    768,
  ],
  [/bge-small|e5-small|minilm/, 512],
];
/** Of a model nobody knows: as long as those of the large makers. */
const UNKNOWN_LENGTH = 3072;

const lengthOf = (model: string): number => {
  const name = model.toLowerCase();
  return LENGTHS.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN_LENGTH;
};

/** What decides how long an answer of vectors is. */
export interface AskedVectors {
  /** The field that has the inputs. */
  readonly param: string;
  readonly inputs: number;
  readonly model: string;
  /** Numbers of a vector, if the caller says so. */
  readonly dimensions: number | undefined;
  /** They come as base64. */
  readonly isPacked: boolean;
  /** What makes the answer shorter, in the caller's words. */
  readonly remedy: string;
}

/** Throws `invalid_request` for vectors that make an answer longer than one may be, with how many may be asked for at once. */
export const assertVectorsFit = ({
  param,
  inputs,
  model,
  dimensions,
  isPacked,
  remedy,
}: AskedVectors): void => {
  if (inputs > MOST_INPUTS)
    throw new AppError('invalid_request', `'${param}': at most ${MOST_INPUTS} inputs at once`, { param });
  const length = dimensions ?? lengthOf(model);
  const most = Math.floor(
    ANSWER_MAX_BYTES / (length * (isPacked ? BYTES_PACKED : BYTES_AS_TEXT) + AROUND_BYTES),
  );
  if (inputs > most)
    throw new AppError(
      'invalid_request',
      `'${param}': vectors of ${length} numbers for ${inputs} inputs make an answer of more than 64 MiB. ` +
        (most === 0 ? remedy : `Send at most ${most} inputs at once, or ${remedy}`),
      { param },
    );
};
