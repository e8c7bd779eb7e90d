import { expect, test } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import type { Fields } from '#core/json/fields.ts';
import type { AuthorizeTools, OutboundRequest } from '#core/outbound/outbound.ts';
import { readAll } from '#core/read-all.ts';
import { Secret } from '#core/secrets/secret.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { writtenFor } from '../../dialects/upstream.ts';
import { wholeReply } from '../shared/reply/synthetic-reply.ts';
import { sentFields } from '../shared/request/sent-fields.ts';
import { vertex } from './vertex.ts';

const channel = channelOf(41, { key: new Secret('an-express-key') });

/** What is sent for these texts, and OpenAI's list of what comes back. */
const embed = async (model: string, body: Fields, reply: (sent: Fields) => Fields) => {
  const call = { operation: 'embeddings' as const, model, stream: false };
  const sent: Fields[] = [];
  const tools = standIn<AuthorizeTools>({
    signal: new AbortController().signal,
    send: async (request: OutboundRequest) => {
      const asked = sentFields(request);
      sent.push({ method: /[^:]+$/.exec(request.url)?.[0], ...asked });
      return wholeReply(200, reply(asked));
    },
  });
  const written = JSON.stringify(writtenFor(vertex, { model, ...body }, call, channel));
  const request = { method: 'POST' as const, ...vertex.address(channel, call), body: written };
  const answer = await vertex.offers.embeddings?.deliver?.(request, channel, tools);
  const came: unknown = JSON.parse(String(answer && (await readAll(answer.body, 10_000))));
  return { sent, list: vertex.offers.embeddings?.read?.(came, call, { model }) };
};

const predicted = ({ instances }: Fields): Fields => ({
  predictions: (instances as Fields[]).map(({ content }) => ({
    embeddings: { values: [content === 'a' ? 1 : 2], statistics: { token_count: 3 } },
  })),
});
const both = {
  data: [
    { index: 0, embedding: [1] },
    { index: 1, embedding: [2] },
  ],
  usage: { prompt_tokens: 6 },
};

test('texts are embedded in one request where the model takes several', async () => {
  const { sent, list } = await embed('text-embedding-005', { input: ['a', 'b'], dimensions: 256 }, predicted);
  expect(sent).toEqual([
    {
      method: 'predict',
      instances: [{ content: 'a' }, { content: 'b' }],
      parameters: { outputDimensionality: 256 },
    },
  ]);
  expect(list).toMatchObject(both);
});

test("one by one by Gemini's models, and by the later ones as a content", async () => {
  const first = await embed('gemini-embedding-001', { input: ['a', 'b'] }, predicted);
  expect(first.sent).toEqual(['a', 'b'].map((content) => ({ method: 'predict', instances: [{ content }] })));
  expect(first.list).toMatchObject(both);
  const later = await embed('gemini-embedding-2', { input: ['a', 'b'], dimensions: 256 }, ({ content }) => ({
    embedding: { values: [JSON.stringify(content).includes('"a"') ? 1 : 2] },
    usageMetadata: { promptTokenCount: 3 },
  }));
  expect(later.sent).toEqual(
    ['a', 'b'].map((text) => ({
      method: 'embedContent',
      content: { parts: [{ text }] },
      embedContentConfig: { outputDimensionality: 256 },
    })),
  );
  expect(later.list).toMatchObject(both);
  await expect(embed('gemini-embedding-001', { input: Array(257).fill('a') }, predicted)).rejects.toThrow(
    'input: this model embeds at most 256 inputs at a time',
  );
});
