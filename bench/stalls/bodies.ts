import { gzipSync } from 'node:zlib';
import { json, many, MEGABYTE, prose } from './texts.ts';
import type { HeavyCall } from './call.ts';

const CHAT = '/v1/chat/completions';

const say = (content: unknown, model = 'same') => ({
  model,
  max_tokens: 16,
  messages: [{ role: 'user', content }],
});
/** A chat with these bytes as its only text. */
const raw = (piece: string, bytes: number, model = 'same'): Buffer =>
  Buffer.from(
    `{"model":"${model}","max_tokens":16,"messages":[{"role":"user","content":"${piece.repeat(bytes / piece.length)}"}]}`,
  );
const picture = (bytes: number): string => 'iVBORw0KGgoAAAANSUhEUgAA'.repeat(bytes / 24);
const turns = (count: number, characters: number) =>
  many(count, (index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: prose(characters) }));
const tools = (count: number) =>
  many(count, (index) => ({
    type: 'function',
    function: {
      name: `tool_${index}`,
      description: prose(60),
      parameters: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'number' } },
        required: ['a'],
      },
    },
  }));
const form = (count: number): Buffer =>
  Buffer.from(
    `${many(count, (index) => `--B\r\nContent-Disposition: form-data; name="f${index}"\r\n\r\n1\r\n`).join('')}--B--\r\n`,
  );

const MODELS = { same: 'repeated', claude: 'to Messages', gem: 'to Gemini' } as const;

/** Texts and pictures as large agents send them, to upstreams of the caller's own format and of others. */
const large = (model: keyof typeof MODELS): HeavyCall[] => {
  const name = (what: string): string => `${what}, ${MODELS[model]}`;
  return [
    {
      name: name('1 MB in 250 turns'),
      path: CHAT,
      body: () => json({ model, max_tokens: 16, messages: turns(250, 4096) }),
    },
    {
      name: name('4 MB in 4,000 turns'),
      path: CHAT,
      body: () => json({ model, max_tokens: 16, messages: turns(4000, 1000) }),
    },
    {
      name: name('2 MB of 10,000 tools'),
      path: CHAT,
      body: () => json({ ...say('hi', model), tools: tools(10_000) }),
    },
    { name: name('30 MB in one text'), path: CHAT, body: () => json(say(prose(30 * MEGABYTE), model)) },
    {
      name: name('20 MB picture'),
      path: CHAT,
      body: () =>
        json(
          say(
            [{ type: 'image_url', image_url: { url: `data:image/png;base64,${picture(20 * MEGABYTE)}` } }],
            model,
          ),
        ),
    },
  ];
};

const LETTERS = {
  latin: prose(61),
  han: '敏捷的棕色狐狸跳过懒狗。',
  kana: 'すばやい茶色の狐',
  emoji: '😀🦊',
  digits: '0123456789',
  combining: 'éàü',
};

const counts: HeavyCall[] = Object.entries(LETTERS).map(([name, text]) => ({
  name: `a million characters to count, ${name}`,
  path: '/v1/messages/count_tokens',
  body: () => json(say(text.repeat(1_000_000 / text.length))),
}));

const hostile: HeavyCall[] = [
  { name: '30 MB of \\"', path: CHAT, body: () => raw('\\"', 30 * MEGABYTE) },
  { name: '30 MB of \\\\', path: CHAT, body: () => raw('\\\\', 30 * MEGABYTE) },
  { name: '30 MB of \\u0041', path: CHAT, body: () => raw('\\u0041', 30 * MEGABYTE) },
  {
    name: '30 MB of backslashes, no quote',
    path: CHAT,
    body: () => Buffer.from(`{"a":"${'\\'.repeat(30 * MEGABYTE)}`),
  },
  { name: '30 MB of "', path: CHAT, body: () => Buffer.alloc(30 * MEGABYTE, '"') },
  { name: '30 MB of ["",', path: CHAT, body: () => Buffer.from(`{"a":[${'"",'.repeat(10 * MEGABYTE)}1]}`) },
  { name: '30 MB of spaces', path: CHAT, body: () => Buffer.from(`{${' '.repeat(30 * MEGABYTE)}}`) },
  { name: '30 MB of [', path: CHAT, body: () => Buffer.alloc(30 * MEGABYTE, '[') },
  {
    name: '200,000 names',
    path: CHAT,
    body: () => json({ ...say('x'), ...Object.fromEntries(many(200_000, (index) => [`n${index}`, 1])) }),
  },
  {
    name: '200,000 times one name',
    path: CHAT,
    body: () => Buffer.from(`{"model":"same",${'"a":1,'.repeat(200_000)}"b":1}`),
  },
  {
    name: '200,000 names inside',
    path: CHAT,
    body: () =>
      json({ ...say('x'), metadata: Object.fromEntries(many(200_000, (index) => [`n${index}`, 1])) }),
  },
  {
    name: '30 MB of names with escapes',
    path: CHAT,
    body: () => Buffer.from(`{"model":"same",${'"\\u0061\\u0062":1,'.repeat(1_700_000)}"b":1}`),
  },
  {
    name: 'a number of a million digits',
    path: CHAT,
    body: () => Buffer.from(`{"model":"same","seed":${'1'.repeat(1_000_000)}}`),
  },
  {
    name: '3 MB of long numbers',
    path: CHAT,
    body: () =>
      Buffer.from(
        `{"model":"same","messages":[{"role":"user","content":"x"}],"metadata":[${'12345678901234567,'.repeat(170_000)}1]}`,
      ),
  },
  {
    name: '250,000 messages',
    path: CHAT,
    body: () => json({ model: 'same', messages: many(240_000, () => ({})) }),
  },
  {
    name: 'a schema of 100,000 values',
    path: CHAT,
    body: () =>
      json({
        ...say('x', 'claude'),
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: 's',
            schema: {
              type: 'object',
              properties: Object.fromEntries(many(50_000, (index) => [`p${index}`, { type: 'string' }])),
            },
          },
        },
      }),
  },
  {
    name: '30 MB of names of models',
    path: CHAT,
    body: () => json({ ...say('x'), model: 'm'.repeat(30 * MEGABYTE) }),
  },
  {
    name: '30 MB gzip',
    path: CHAT,
    headers: { 'content-encoding': 'gzip' },
    body: () => gzipSync(raw('\\"', 30 * MEGABYTE)),
  },
  {
    name: 'a form of 200,000 fields',
    path: '/v1/images/edits',
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
    body: () => form(200_000),
  },
];

const others: HeavyCall[] = [
  {
    name: 'Responses, 50,000 items',
    path: '/v1/responses',
    body: () => json({ model: 'same', input: turns(50_000, 20) }),
  },
  {
    name: 'Responses, 50,000 items, to Messages',
    path: '/v1/responses',
    body: () => json({ model: 'claude', input: turns(50_000, 20) }),
  },
  {
    name: 'Messages, 4 MB, to chat',
    path: '/v1/messages',
    body: () => json({ model: 'same', max_tokens: 16, messages: turns(4000, 1000) }),
  },
  {
    name: 'Gemini, 100,000 parts',
    path: '/v1beta/models/gem:generateContent',
    body: () => json({ contents: [{ role: 'user', parts: many(100_000, () => ({ text: 'x' })) }] }),
  },
  {
    name: 'Gemini, 100,000 parts, to chat',
    path: '/v1beta/models/same:generateContent',
    body: () => json({ contents: [{ role: 'user', parts: many(100_000, () => ({ text: 'x' })) }] }),
  },
  {
    name: 'embeddings, 300,000 numbers',
    path: '/v1/embeddings',
    body: () => json({ model: 'same', input: many(300_000, (index) => index) }),
  },
  {
    name: 'embeddings, 16 MB in 2,048 texts',
    path: '/v1/embeddings',
    body: () => json({ model: 'same', input: many(2048, () => prose(8192)) }),
  },
  {
    name: 'rerank, 50,000 documents',
    path: '/v1/rerank',
    body: () => json({ model: 'same', query: 'x', documents: many(50_000, () => prose(60)) }),
  },
  {
    name: 'moderations, 30 MB',
    path: '/v1/moderations',
    body: () => json({ model: 'same', input: prose(30 * MEGABYTE) }),
  },
  { name: 'count 30 MB of \\"', path: '/v1/messages/count_tokens', body: () => raw('\\"', 30 * MEGABYTE) },
  {
    name: 'count 30 MB of [',
    path: '/v1/messages/count_tokens',
    body: () => Buffer.alloc(30 * MEGABYTE, '['),
  },
  {
    name: 'count 30 MB of names',
    path: '/v1/messages/count_tokens',
    body: () => Buffer.from(`{${'"a":1,'.repeat(5 * MEGABYTE)}"b":1}`),
  },
  {
    name: 'count 10,000 tools',
    path: '/v1/responses/input_tokens',
    body: () => json({ model: 'same', input: 'x', tools: tools(10_000) }),
  },
];

export const heavyBodies: readonly HeavyCall[] = [
  ...hostile,
  ...large('same'),
  ...large('claude'),
  ...large('gem'),
  ...others,
  ...counts,
];
