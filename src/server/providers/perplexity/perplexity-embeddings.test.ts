import { expect, test } from 'vitest';
import { readEmbeddings, writeEmbeddings } from './perplexity-embeddings.ts';

/** docs.perplexity.ai/api-reference/embeddings-post: vectors of signed bytes in base64, whatever callers expect. */

const REPLY = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: Buffer.from([1, 255, 128]).toString('base64') }],
  model: 'pplx-embed-v1-4b',
  usage: { prompt_tokens: 3, total_tokens: 3, cost: { total_cost: 0.0001 } },
};

test('bytes are asked for, and numbers come back', () => {
  const asked = { model: 'e', input: 'hello', dimensions: 128, encoding_format: 'float', user: 'u' };
  expect(writeEmbeddings(asked, 'pplx-embed-v1-4b')).toEqual({
    model: 'pplx-embed-v1-4b',
    input: ['hello'],
    dimensions: 128,
    encoding_format: 'base64_int8',
  });
  expect(readEmbeddings(REPLY, asked)).toEqual({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [1, -1, -128] }],
    model: 'e',
    usage: { prompt_tokens: 3, total_tokens: 3 },
  });
});

test('who asks for base64 gets floats in it, and a refusal stays as it is', () => {
  const { data } = readEmbeddings(REPLY, { encoding_format: 'base64' }) as { data: { embedding: string }[] };
  const bytes = Buffer.from(data[0]?.embedding ?? '', 'base64');
  expect([0, 4, 8].map((at) => bytes.readFloatLE(at))).toEqual([1, -1, -128]);
  expect(readEmbeddings({ error: { message: 'no' } }, {})).toEqual({ error: { message: 'no' } });
});
