import { AppError } from '#core/error.ts';

/*
 * Estimates the length of an answer of vectors before it is requested, because one that is too long would be paid for
 * but not delivered (docs/decisions/0049).
 */

/** The limit of OpenAI, Azure, Google and Jina; others allow fewer. */
const MOST_INPUTS = 2048;

/** The longest answer that is delivered. */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024;
/** The bytes of one vector besides its numbers. */
const AROUND_BYTES = 256;
/** Bytes per number as text: all digits of a double, or OpenAI's spaces and line end. */
const BYTES_AS_TEXT = 24;
/** Bytes per number as base64: four, plus a third. */
const BYTES_PACKED = 16 / 3;

/** The default number of dimensions, by model name. Sources: the providers' pages, November 2026. */
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
/** For unknown models: as many as those of the large providers. */
const UNKNOWN_LENGTH = 3072;

const lengthOf = (model: string): number => {
  const name = model.toLowerCase();
  return LENGTHS.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN_LENGTH;
};

/** What determines the length of an answer of vectors. */
export interface AskedVectors {
  /** The field that has the inputs, for the error. */
  readonly param: string;
  readonly inputs: number;
  readonly model: string;
  /** The requested number of dimensions, if any. */
  readonly dimensions: number | undefined;
  /** The vectors are requested as base64. */
  readonly isPacked: boolean;
  /** How to make the answer shorter, in words for the error. */
  readonly remedy: string;
}

/**
 * Throws `invalid_request` if the vectors would make the answer too long, and says how many inputs are allowed at once.
 */
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
