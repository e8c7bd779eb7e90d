import { afterAll, beforeAll, expect, test } from 'vitest';
import { relayedTypes } from '../../src/server/providers/registry.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import { everyOtherPath } from '../../src/server/providers/testing/every-wire.ts';
import { OPENAI_PATHS, type OtherCall } from '../../src/server/providers/testing/other-paths.ts';
import { startScriptedWires } from './scripted-wires.ts';
import { json, type Json, type Wire } from '../../src/server/providers/testing/wire.ts';
import { operationsOf } from '../../src/server/providers/testing/asked-of.ts';

/** Calls other than chats, at every kind of upstream that offers them: each goes to its path, and its answer comes back unchanged. */

const ASKED: Readonly<Record<OtherCall, Json>> = {
  completions: { prompt: 'Once', max_tokens: 9 },
  embeddings: { input: ['a'] },
  images: { prompt: 'a hill' },
  moderations: { input: 'a' },
  rerank: { query: 'q', documents: ['a', 'b'] },
  speech: { input: 'All is well.', voice: 'alloy' },
  transcriptions: {},
};
const usage = { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 };
const ANSWERS: Readonly<Record<OtherCall, Json>> = {
  completions: {
    object: 'text_completion',
    choices: [{ text: ' upon a time', index: 0, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 },
  },
  embeddings: { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], usage },
  images: { created: 1, data: [{ url: 'https://pictures.example/hill.png' }] },
  moderations: { id: 'modr-1', results: [{ flagged: false, categories: {} }] },
  rerank: { results: [{ index: 1, relevance_score: 0.9 }], usage },
  speech: {},
  transcriptions: { text: 'All is well.' },
};
const SOUND = Buffer.from('ID3 sound');

/** The answer of an operation, by its path. */
const answered = (path: string) => {
  const found = Object.entries(KINDS_OF_PATH).find(([end]) => path.replace(/\?.*/, '').includes(end))?.[1];
  if (found === undefined) return undefined;
  return found === 'speech' ? { contentType: 'audio/mpeg', bytes: SOUND } : json(ANSWERS[found]);
};
const KINDS_OF_PATH: Readonly<Record<string, OtherCall>> = {
  '/embeddings': 'embeddings',
  '/images': 'images',
  '/moderations': 'moderations',
  '/rerank': 'rerank',
  '/audio/speech': 'speech',
  '/audio/transcriptions': 'transcriptions',
  '/completions': 'completions',
};

const nothing = { status: 500, body: {} };
const types = Object.keys(everyOtherPath).map(Number);
const wires: readonly Wire[] = types.map((type) => ({
  type,
  name: '',
  reference: '',
  key: type === 15 ? 'api-key|secret-key' : 'the-key',
  model: 'm',
  chat: '',
  headers: {},
  asks: {},
  answer: () => json({}),
  ...(type === 15 && {
    before: { path: '/oauth/2.0/token', body: { access_token: '24.t', expires_in: 2_592_000 } },
  }),
  offersTools: false,
  tellsUsage: false,
  badKey: nothing,
  rateLimit: nothing,
}));

let upstream: Awaited<ReturnType<typeof startScriptedWires>>;
let rig: Rig;

beforeAll(async () => {
  upstream = await startScriptedWires(wires, answered);
  const channels = wires.map(({ type, key }, index) => ({
    type,
    baseUrl: upstream.addressOf(index, 'good'),
    encryptedKey: key,
    other: type === 39 ? 'account-1' : '',
    models: `m-${String(type)}`,
    modelMapping: JSON.stringify({ [`m-${String(type)}`]: 'm' }),
  }));
  const names = channels.map(({ models }) => [models, 1] as const);
  rig = await startRig(channels, { ModelRatio: Object.fromEntries(names), RetryTimes: 0 });
});
afterAll(async () => {
  await rig.stop();
  await upstream.stop();
});

const form = (model: string): FormData => {
  const fields = new FormData();
  fields.set('model', model);
  fields.set('file', new Blob([SOUND]), 'a.mp3');
  return fields;
};

const rows = types.flatMap((type) =>
  (Object.entries(everyOtherPath[type] ?? {}) as [OtherCall, string][]).map(([operation, path]) => ({
    type,
    operation,
    path,
  })),
);

test.each(rows)('type $type: $operation go to $path', async ({ type, operation, path }) => {
  const model = `m-${String(type)}`;
  const isForm = operation === 'transcriptions';
  const response = await fetch(`${rig.url}${OPENAI_PATHS[operation]}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${rig.key}`,
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? form(model) : JSON.stringify({ model, ...ASKED[operation] }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status).toBe(200);
  expect(bytes.toString()).toBe(
    operation === 'speech' ? SOUND.toString() : JSON.stringify(ANSWERS[operation]),
  );
  const { path: arrived, headers } = upstream.last();
  expect(arrived).toBe(path);
  const proof = `${headers.authorization ?? ''} ${String(headers['api-key'] ?? '')}`;
  expect(type === 15 ? arrived : proof).toContain(type === 15 ? '24.t' : 'the-key');
});

test('an operation that no provider of the model offers is answered 501, which clients do not retry', async () => {
  const alone = await startRig([{ type: 25, baseUrl: 'http://127.0.0.1:9', models: 'm' }], {
    ModelRatio: { m: 1 },
  });
  const answer = await fetch(`${alone.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${alone.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', input: 'x' }),
  });
  expect([answer.status, await answer.text()]).toEqual([501, expect.stringContaining('api_not_implemented')]);
  await alone.stop();
});

test('every provider with such an operation is tested', () => {
  const named = Object.keys(OPENAI_PATHS);
  const offered = relayedTypes
    // A custom channel has only one address; clouds have their own formats of embeddings, tested in their own files.
    .filter((type) => type !== 8 && type !== 33 && type !== 41)
    .flatMap((type) =>
      operationsOf(type)
        .filter((operation) => named.includes(operation))
        .map((operation) => `${String(type)} ${operation}`),
    );
  const tested = rows.map(({ type, operation }) => `${String(type)} ${operation}`);
  // These have their own formats and tests: alibaba-images, eastern-forms, minimax-speech, speech-and-order, forms-as-json, xai-sound.
  const beside = [
    '17 images',
    '17 speech',
    '17 transcriptions',
    '20 transcriptions',
    '27 embeddings',
    '35 speech',
    '42 speech',
    '48 speech',
    '48 transcriptions',
    '104 rerank',
  ];
  expect(offered.filter((call) => !tested.includes(call))).toEqual(beside);
});
