import { expect, test } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import { Secret } from '#core/secrets/secret.ts';
import { writtenFor } from '../../dialects/upstream.ts';
import { vertex } from './vertex.ts';

const channel = channelOf(41, { key: new Secret('an-express-key') });
const call = (model: string) => ({ operation: 'embeddings' as const, model, stream: false });
const written = (model: string, body: object) => [
  /[^:]+$/.exec(vertex.address(channel, call(model)).url)?.[0],
  writtenFor(vertex, { model, ...body }, call(model), channel),
];
const read = (model: string, reply: object) =>
  vertex.offers.embeddings?.read?.({ ...reply }, call(model), { model });

test('texts are embedded in one request where the model takes several', () => {
  expect(written('text-embedding-005', { input: ['a', 'b'], dimensions: 256 })).toEqual([
    'predict',
    { instances: [{ content: 'a' }, { content: 'b' }], parameters: { outputDimensionality: 256 } },
  ]);
  const predictions = [1, 2].map((value) => ({
    embeddings: { values: [value], statistics: { token_count: 3 } },
  }));
  expect(read('text-embedding-005', { predictions })).toMatchObject({
    data: [{ embedding: [1] }, { embedding: [2] }],
    usage: { prompt_tokens: 6 },
  });
});

test("Gemini's models take one text, and the later ones as a content", () => {
  for (const model of ['gemini-embedding-001', 'gemini-embedding-2'])
    expect(() => written(model, { input: ['a', 'b'] })).toThrow(
      'input: this model embeds one text at a time',
    );
  expect(written('gemini-embedding-001', { input: ['a'] })).toEqual([
    'predict',
    { instances: [{ content: 'a' }] },
  ]);
  expect(written('gemini-embedding-2', { input: 'a', dimensions: 256 })).toEqual([
    'embedContent',
    { content: { parts: [{ text: 'a' }] }, embedContentConfig: { outputDimensionality: 256 } },
  ]);
  const reply = { embedding: { values: [1, 2] }, usageMetadata: { promptTokenCount: 4 } };
  expect(read('gemini-embedding-2', reply)).toMatchObject({
    data: [{ index: 0, embedding: [1, 2] }],
    usage: { prompt_tokens: 4, total_tokens: 4 },
  });
});
