import { describe, expect, test } from 'vitest';
import { geminiEmbeddings } from '../gemini-embeddings/gemini-embeddings.ts';
import { openaiEmbeddings } from '../openai-embeddings/openai-embeddings.ts';

/** Vectors whose answer would be longer than one may be are refused before they are asked for. */

const texts = (count: number): string[] => Array.from({ length: count }, () => 'a');
const refusal = (read: () => unknown): string | undefined => {
  try {
    read();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};
const openai = (body: object): string | undefined => refusal(() => openaiEmbeddings.facts({ ...body }));

describe('an answer of vectors', () => {
  test.each([
    ['text-embedding-3-large', texts(907), {}],
    ['text-embedding-3-large', texts(2048), { encoding_format: 'base64' }],
    ['text-embedding-3-large', texts(2048), { dimensions: 1024 }],
    ['text-embedding-3-small', texts(1807), {}],
    ['text-embedding-ada-002', texts(1000), {}],
    ['bge-m3', texts(2048), {}],
    ['nobody-knows', texts(907), {}],
    // Token numbers are one text, lists of them are several.
    ['text-embedding-3-large', Array.from({ length: 8000 }, (_, at) => at), {}],
    ['text-embedding-3-large', Array.from({ length: 907 }, () => [1, 2]), {}],
  ])('of %s may be asked for', (model, input, more) => {
    expect(openai({ model, input, ...more })).toBeUndefined();
  });

  test.each([
    ['text-embedding-3-large', texts(908), {}, 'Send at most 907 inputs at once'],
    ['Qwen3-Embedding-8B', texts(700), {}, 'vectors of 4096 numbers'],
    ['nobody-knows', texts(908), {}, 'vectors of 3072 numbers'],
    ['bge-m3', texts(2049), {}, 'at most 2048 inputs'],
    ['bge-m3', texts(2049), { dimensions: 1, encoding_format: 'base64' }, 'at most 2048 inputs'],
    ['bge-m3', [1, ...texts(2048)], {}, 'at most 2048 inputs'],
    ['bge-m3', texts(1), { dimensions: 10_000_000 }, "ask for fewer 'dimensions'"],
    ['text-embedding-3-large', Array.from({ length: 908 }, () => [1, 2]), {}, 'at most 907'],
  ])('of %s is refused by its inputs', (model, input, more, words) => {
    expect(openai({ model, input, ...more })).toContain("'input'");
    expect(openai({ model, input, ...more })).toContain(words);
  });

  test('of Gemini counts as the longest of its requests', () => {
    const many = (length: number, one: object, other = one): string | undefined =>
      refusal(() =>
        geminiEmbeddings.facts({
          model: 'gemini-embedding-001',
          requests: Array.from({ length }, (_, at) => ({
            content: { parts: [] },
            ...(at === 0 ? one : other),
          })),
        }),
      );
    expect(many(907, {})).toBeUndefined();
    expect(many(908, {})).toContain("smaller 'outputDimensionality'");
    expect(many(2048, { outputDimensionality: 768 })).toBeUndefined();
    expect(many(2048, {}, { outputDimensionality: 768 })).toContain("'requests'");
    expect(many(2048, { output_dimensionality: 3072 }, { outputDimensionality: 768 })).toContain(
      "'requests'",
    );
  });
});
