import { WebSocket } from 'ws';
import { named, responsesReply } from './formats.ts';
import type { HeavyAnswer, HeavyCall, Site } from './call.ts';
import { json, many, MEGABYTE, prose } from './texts.ts';

/** Heavy calls other than chats: kept responses, tasks, realtime conversations. */

const numbers = (count: number): Buffer => Buffer.from(`{"a":[${'0,'.repeat(count)}0]}`);
const names = (count: number) => Object.fromEntries(many(count, (at) => [`name_${at}`, at]));

const asJson = (value: unknown): (() => HeavyAnswer) => {
  const body = json(value);
  return () => ({ type: 'application/json', body });
};

/** Creates a response that its upstream keeps. */
const keep = async (site: Site): Promise<void> => {
  const response = await fetch(`${site.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${site.key}` },
    body: JSON.stringify({ model: 'same', input: 'x' }),
  });
  await response.text();
};

const items = many(3000, (at) => ({
  id: `msg_${at}`,
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: prose(10_000) }],
}));

const kept: HeavyCall[] = [
  {
    name: 'a kept response of 30 MB',
    method: 'GET',
    path: '/v1/responses/resp_1',
    before: keep,
    answer: () => ({ type: 'application/json', body: json(responsesReply(prose(30 * MEGABYTE))) }),
  },
  {
    name: 'a kept response of 5,000,000 numbers',
    method: 'GET',
    path: '/v1/responses/resp_1',
    before: keep,
    answer: () => ({ type: 'application/json', body: numbers(5_000_000) }),
  },
  {
    name: 'a kept response as an event of 7 MB',
    method: 'GET',
    path: '/v1/responses/resp_1?stream=true',
    before: keep,
    answer: () => ({
      body: Buffer.from(named('response.completed', { response: responsesReply(prose(7_000_000)) })),
    }),
  },
  {
    name: '30 MB of items of a kept response',
    method: 'GET',
    path: '/v1/responses/resp_1/input_items',
    before: keep,
    answer: () => ({ type: 'application/json', body: json({ object: 'list', data: items }) }),
  },
  {
    name: 'a conversation of 30 MB',
    path: '/v1/conversations',
    body: () => json({ items: [{ type: 'message', role: 'user', content: prose(30 * MEGABYTE) }] }),
    answer: asJson({ id: 'conv_1', object: 'conversation', created_at: 1 }),
  },
  {
    name: 'a conversation of 480,000 numbers',
    path: '/v1/conversations',
    body: () => numbers(480_000),
    answer: asJson({ id: 'conv_1', object: 'conversation', created_at: 1 }),
  },
  {
    name: 'a conversation 5,000,000 deep',
    path: '/v1/conversations',
    body: () => Buffer.from('['.repeat(5_000_000) + ']'.repeat(5_000_000)),
  },
  {
    name: 'a conversation answered with 30 MB',
    path: '/v1/conversations',
    body: () => json({}),
    answer: () => ({ type: 'application/json', body: json({ id: 'conv_1', data: items }) }),
  },
];

const background: HeavyCall[] = [
  {
    name: 'in the background, answered with 30 MB',
    path: '/v1/responses',
    body: () => json({ model: 'same', input: 'x', background: true }),
    answer: () => ({ type: 'application/json', body: json(responsesReply(prose(30 * MEGABYTE))) }),
  },
];

const submitted = asJson({ code: 1, description: 'ok', result: '42' });

const tasks: HeavyCall[] = [
  {
    name: 'a drawing of 30 MB of words',
    path: '/mj/submit/imagine',
    body: () => json({ prompt: prose(30 * MEGABYTE) }),
    answer: submitted,
  },
  {
    name: 'a drawing from 30 MB of pictures',
    path: '/mj/submit/blend',
    body: () =>
      json({ base64Array: many(5, () => `data:image/png;base64,${'iVBORw0KGgoA'.repeat(500_000)}`) }),
    answer: submitted,
  },
  { name: 'a drawing of 5,000,000 numbers', path: '/mj/submit/imagine', body: () => numbers(5_000_000) },
  {
    name: 'a drawing of 15,000,000 brackets',
    path: '/mj/submit/imagine',
    body: () => Buffer.from('['.repeat(15_000_000)),
  },
  {
    name: 'a drawing answered with 7 MB',
    path: '/mj/submit/imagine',
    body: () => json({ prompt: 'x' }),
    answer: asJson({ code: 1, description: 'ok', result: '42', more: prose(7_000_000) }),
  },
  {
    name: 'a drawing answered with 4,000,000 numbers',
    path: '/mj/submit/imagine',
    body: () => json({ prompt: 'x' }),
    answer: () => ({ type: 'application/json', body: numbers(4_000_000) }),
  },
  {
    name: 'a list of 2,000,000 drawings',
    path: '/mj/task/list-by-condition',
    body: () => json({ ids: many(2_000_000, String) }),
  },
  {
    name: 'music of 30 MB of words',
    path: '/suno/submit/music',
    body: () => json({ prompt: prose(30 * MEGABYTE) }),
    answer: asJson({ code: 'success', data: 'a' }),
  },
  {
    name: 'a list of 2,000,000 songs',
    path: '/suno/fetch',
    body: () => json({ ids: many(2_000_000, String) }),
  },
];

/** Sends these events to a realtime model and waits for the answer to the last one. */
const converse =
  (messages: () => readonly unknown[]) =>
  async ({ url, key }: Site): Promise<number> => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?model=realtime`, {
      headers: { authorization: `Bearer ${key}` },
      maxPayload: 64 * MEGABYTE,
    });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const over = new Promise<number>((resolve) => {
      socket.on('close', (code) => resolve(code));
      socket.on('message', (data: Buffer) => {
        if (data.length < 65536 && data.toString().includes('"over"')) resolve(101);
      });
    });
    for (const message of messages())
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    const status = await over;
    socket.terminate();
    return status;
  };

const LAST = { type: 'session.update', event_id: 'last' };
const item = (content: unknown) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content },
});

const realtime: HeavyCall[] = (
  [
    ['15 MB of words to a realtime model', () => [item([{ type: 'input_text', text: prose(15_000_000) }])]],
    ['15 MB of \\" to a realtime model', () => [item([{ type: 'input_text', text: '"'.repeat(7_000_000) }])]],
    ['15 MB of sound', () => [{ type: 'input_audio_buffer.append', audio: 'AAAA'.repeat(3_700_000) }]],
    [
      '7,000,000 numbers to a realtime model',
      () => [{ type: 'session.update', session: {}, more: many(7_000_000, () => 0) }],
    ],
    ['5,000,000 brackets to a realtime model', () => ['['.repeat(5_000_000)]],
    ['1,000,000 names to a realtime model', () => [{ type: 'session.update', session: names(800_000) }]],
    [
      '100,000 messages to a realtime model',
      () => many(100_000, () => ({ type: 'input_audio_buffer.append', audio: 'AAAA' })),
    ],
    ['10,000 messages of words', () => many(10_000, () => item([{ type: 'input_text', text: 'x' }]))],
    ['asked for 15 MB of words', () => [{ type: 'session.update', event_id: 'ask', big: 'delta' }]],
    ['asked for a session of 15 MB', () => [{ type: 'session.update', event_id: 'ask', big: 'session' }]],
    ['asked for 15 MB without a type', () => [{ type: 'session.update', event_id: 'ask', big: 'none' }]],
    ['asked for 15 MB of \\u0041', () => [{ type: 'session.update', event_id: 'ask', big: 'escapes' }]],
    [
      'asked for a session of 7 MB of \\u0041',
      () => [{ type: 'session.update', event_id: 'ask', big: 'escaped' }],
    ],
    ['asked for 7,000,000 numbers', () => [{ type: 'session.update', event_id: 'ask', big: 'numbers' }]],
    ['asked for 100,000 messages', () => [{ type: 'session.update', event_id: 'ask', big: 'many' }]],
  ] as const
).map(([name, messages]) => ({
  name,
  path: '/v1/realtime',
  ask: converse(() => [...messages(), LAST]),
}));

/** Requests a response over a WebSocket, in frames of the given size in bytes. */
const askOverSocket =
  (input: () => unknown, frameBytes = Infinity) =>
  async ({ url, key }: Site): Promise<number> => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const over = new Promise<number>((resolve) => {
      socket.on('close', (code) => resolve(code));
      socket.on('message', (data: Buffer) => {
        if (/"type":"(?:error|response.completed)"/.test(data.toString('latin1', 0, 100))) resolve(101);
      });
    });
    const bytes = json({ type: 'response.create', model: 'same', input: input() });
    for (let at = 0; at < bytes.length; at += frameBytes) {
      const part = bytes.subarray(at, at + frameBytes);
      socket.send(part, { binary: false, fin: at + frameBytes >= bytes.length });
    }
    const status = await over;
    socket.terminate();
    return status;
  };

const TURNS = many(3000, (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: prose(10_000) }));

const responses: HeavyCall[] = (
  [
    ['a turn of 30 MB of text over a WebSocket', askOverSocket(() => prose(30 * MEGABYTE))],
    ['a turn of 30 MB of items over a WebSocket', askOverSocket(() => TURNS)],
    ['a turn of 30 MB in 30 frames of a WebSocket', askOverSocket(() => TURNS, MEGABYTE)],
    ['a turn of 30 MB in 8,000 frames of a WebSocket', askOverSocket(() => TURNS, 4000)],
  ] as const
).map(([name, ask]) => ({ name, path: '/v1/responses', ask }));

export const heavyOthers: readonly HeavyCall[] = [
  ...kept,
  ...background,
  ...tasks,
  ...realtime,
  ...responses,
];

/** The events of a realtime upstream that is asked for a lot. */
export const saidMuch = (kind: string): readonly string[] => {
  switch (kind) {
    case 'delta':
      return [JSON.stringify({ type: 'response.text.delta', delta: prose(15_000_000) })];
    case 'session':
      return [JSON.stringify({ type: 'session.updated', session: { instructions: prose(15_000_000) } })];
    case 'escapes':
      return [`{"type":"response.text.delta","delta":"${'\\u0041'.repeat(2_500_000)}"}`];
    case 'escaped':
      return [`{"type":"session.updated","session":{"instructions":"${'\\u0041'.repeat(1_200_000)}"}}`];
    case 'none':
      return [JSON.stringify({ more: prose(15_000_000), type: 'response.text.delta' })];
    case 'numbers':
      return [JSON.stringify({ more: many(7_000_000, () => 0), type: 'response.done' })];
    default:
      return many(100_000, () => JSON.stringify({ type: 'response.text.delta', delta: 'word ' }));
  }
};
