import type { HeavyCall } from './call.ts';
import { named, replyAt, responsesReply, streamAt, USAGE } from './formats.ts';
import { CHAT, HALF_MEGABYTE, json, many, MEGABYTE, prose, SOURCES, sources } from './texts.ts';

/** Calls with whole answers larger than any upstream sends. */

const asked = (model: string, stream: boolean): Buffer =>
  json({ model, max_tokens: 16, stream, messages: [{ role: 'user', content: 'x' }] });

const whole = (name: string, model: keyof typeof SOURCES, body: (path: string) => Buffer): HeavyCall => ({
  name: `${name}, ${SOURCES[model]}`,
  path: CHAT,
  body: () => asked(model, false),
  answer: (path) => ({ type: 'application/json', body: body(path) }),
});
const spoiled = (path: string, more: object): Buffer => json({ ...replyAt(path, 'x'), more });
const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

const wholes: HeavyCall[] = sources.flatMap((model) => [
  whole('a reply of 30 MB', model, (path) => json(replyAt(path, prose(30 * MEGABYTE)))),
  whole('a reply of 60 MB of \\"', model, (path) => json(replyAt(path, '"'.repeat(30 * MEGABYTE)))),
  whole('a reply of 500 KB', model, (path) => json(replyAt(path, prose(HALF_MEGABYTE)))),
  whole('a reply of 500 KB of \\u0001', model, (path) =>
    json(replyAt(path, '\u0001'.repeat(HALF_MEGABYTE / 6))),
  ),
  whole('a reply of 250,000 numbers in 500 KB', model, (path) =>
    spoiled(
      path,
      many(HALF_MEGABYTE / 2, () => 0),
    ),
  ),
  whole('a reply of 10,000,000 numbers', model, (path) =>
    spoiled(
      path,
      many(10_000_000, () => 0),
    ),
  ),
  whole('a reply 100,000 deep', model, (path) => spoiled(path, { deep: deep(5000) })),
  whole('a reply of 30,000 names in 500 KB', model, (path) =>
    spoiled(path, Object.fromEntries(many(30_000, (index) => [`name_${index}`, 1]))),
  ),
  whole('something of 60 MB that is no JSON', model, () => Buffer.alloc(60 * MEGABYTE, 'x')),
  {
    ...whole('a whole reply of 30 MB for a stream', model, (path) =>
      json(replyAt(path, prose(30 * MEGABYTE))),
    ),
    body: () => asked(model, true),
  },
  {
    ...whole('a stream of 7 MB for a whole reply', model, (path) => streamAt(path, [prose(7_000_000)])),
    body: () => asked(model, false),
  },
]);

const VECTOR = many(3072, (at) => Math.round(1e4 / (at + 3)) / 1e6);
const vectors = (count: number): Buffer =>
  json({
    object: 'list',
    data: many(count, (index) => ({ object: 'embedding', index, embedding: VECTOR })),
    usage: USAGE,
  });

const others: HeavyCall[] = [
  {
    name: 'a reply of a picture of 30 MB',
    path: '/v1/images/generations',
    body: () => json({ model: 'same', prompt: 'a cat' }),
    answer: () => ({
      type: 'application/json',
      body: json({ created: 1, data: [{ b64_json: 'iVBORw0KGgoA'.repeat(2_500_000) }] }),
    }),
  },
  {
    name: 'a picture of 7 MB in an event',
    path: '/v1/images/generations',
    body: () => json({ model: 'same', prompt: 'a cat', stream: true }),
    answer: () => ({
      body: Buffer.from(
        named('image_generation.completed', { b64_json: 'iVBORw0KGgoA'.repeat(600_000), usage: USAGE }),
      ),
    }),
  },
  ...[2048, 14].map((count) => ({
    name: `a reply of ${count} vectors of 3,072 numbers`,
    path: '/v1/embeddings',
    body: () => json({ model: 'same', input: 'x' }),
    answer: () => ({ type: 'application/json', body: vectors(count) }),
  })),
  {
    name: 'ranks of 300,000 documents',
    path: '/v1/rerank',
    body: () => json({ model: 'same', query: 'x', documents: ['a'] }),
    answer: () => ({
      type: 'application/json',
      body: json({
        results: many(300_000, (index) => ({ index, relevance_score: 0.5 })),
        usage: USAGE,
      }),
    }),
  },
  {
    name: 'a transcript of 30 MB',
    path: '/v1/audio/transcriptions',
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
    body: () =>
      Buffer.from(
        '--B\r\nContent-Disposition: form-data; name="model"\r\n\r\nsame\r\n' +
          '--B\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\nID3\r\n--B--\r\n',
      ),
    answer: () => ({ type: 'application/json', body: json({ text: prose(30 * MEGABYTE), usage: USAGE }) }),
  },
  {
    name: 'speech of 60 MB',
    path: '/v1/audio/speech',
    body: () => json({ model: 'same', input: 'x', voice: 'alloy' }),
    answer: () => ({ type: 'audio/mpeg', body: Buffer.alloc(60 * MEGABYTE, 'x') }),
  },
  {
    name: 'Responses, a stream of 7 MB',
    path: '/v1/responses',
    body: () => json({ model: 'same', input: 'x', stream: true }),
    answer: (path) => ({
      body: streamAt(
        path,
        many(700, () => prose(10_000)),
      ),
    }),
  },
  {
    name: 'Responses, 256 items in 30 MB',
    path: '/v1/responses',
    body: () => json({ model: 'same', input: 'x' }),
    answer: () => ({
      type: 'application/json',
      body: json(
        responsesReply('', {
          output: many(3000, (at) => ({ type: 'message', id: `msg_${at}`, content: prose(10_000) })),
        }),
      ),
    }),
  },
  {
    name: 'an error of 30 MB',
    path: CHAT,
    body: () => asked('same', false),
    answer: () => ({
      status: 400,
      type: 'application/json',
      body: json({ error: { message: prose(30 * MEGABYTE) } }),
    }),
  },
  {
    name: 'an error of 60 KB of numbers',
    path: CHAT,
    body: () => asked('same', false),
    answer: () => ({
      status: 400,
      type: 'application/json',
      body: json({ error: { message: 'x' }, more: many(30_000, () => 0) }),
    }),
  },
];

export const heavyAnswers: readonly HeavyCall[] = [...wholes, ...others];
