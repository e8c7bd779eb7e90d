import { expect, test } from 'vitest';
import type { AuthorizeTools } from '#core/outbound/outbound.ts';
import { readAll } from '#core/read-all.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { openaiEmbeddings } from '../../dialects/openai-embeddings/openai-embeddings.ts';
import { wholeReply } from '../shared/reply/synthetic-reply.ts';
import { embedEach } from './picture-embeddings.ts';

test('of several vectors, what was of pictures is told and costs as that', async () => {
  const used = { prompt_tokens: 100, total_tokens: 100, prompt_tokens_details: { image_tokens: 90 } };
  const tools = standIn<AuthorizeTools>({
    signal: new AbortController().signal,
    send: async () => wholeReply(200, { object: 'list', data: { embedding: [0.5] }, usage: used }),
  });
  const body = JSON.stringify({
    model: 'doubao-embedding-vision',
    input: [[{ text: 'a' }], [{ text: 'b' }]],
  });
  const reply = await embedEach({ method: 'POST', url: 'https://ark.example', headers: {}, body }, tools);
  const answer: unknown = JSON.parse(String(await readAll(reply.body, 10_000)));
  expect(openaiEmbeddings.tapWhole(answer).usage).toMatchObject({ inputTokens: 20, imageInputTokens: 180 });
});
