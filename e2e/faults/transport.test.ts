import { createServer, type Server, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import { pathAndBody } from '../conformance/callers.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { formats, oneFormatUpstream } from '../support/one-format.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import { startRig, type Rig } from './rig.ts';

/** However the bytes of an answer are compressed and split, callers of every format get the same. */

const WORDS = 'naïve 日本 😀';
const piece = (choice: object): string =>
  JSON.stringify({ id: 'c1', created: 1, model: 'm', choices: [choice] });
const USAGE = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 };
const STREAM = [
  piece({ index: 0, delta: { role: 'assistant', content: WORDS }, finish_reason: null }),
  piece({ index: 0, delta: {}, finish_reason: 'stop' }),
  JSON.stringify({ id: 'c1', choices: [], usage: USAGE }),
  '[DONE]',
]
  .map((data) => `data: ${data}\n\n`)
  .join('');
const WHOLE = JSON.stringify({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: WORDS }, finish_reason: 'stop' }],
  usage: USAGE,
});

type Wire = (body: Buffer, stream: boolean) => readonly Buffer[];

const head = (lines: readonly string[], version = '1.1'): Buffer =>
  Buffer.from([`HTTP/${version} 200 OK`, ...lines, '', ''].join('\r\n'));
const type = (stream: boolean): string =>
  `content-type: ${stream ? 'text/event-stream' : 'application/json'}`;
const measured = (body: Buffer, ...lines: readonly string[]): Buffer[] => [
  head([...lines, `content-length: ${String(body.length)}`]),
  body,
];
const packed =
  (coding: string, pack: (body: Buffer) => Buffer): Wire =>
  (body, stream) =>
    measured(pack(body), type(stream), `content-encoding: ${coding}`);
const chunks = (body: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(body.length / size) }, (_, at) => {
    const chunk = body.subarray(at * size, (at + 1) * size);
    return Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);
  });

const wires: Readonly<Record<string, Wire>> = {
  gzip: packed('gzip', gzipSync),
  br: packed('br', brotliCompressSync),
  deflate: packed('deflate', deflateSync),
  zstd: packed('zstd', zstdCompressSync),
  'a byte order mark': (body, stream) => measured(Buffer.concat([Buffer.from('\uFEFF'), body]), type(stream)),
  'one byte a time': (body, stream) => [
    head([type(stream), 'transfer-encoding: chunked']),
    ...chunks(body, 1),
    Buffer.from('0\r\n\r\n'),
  ],
  'trailers behind the last chunk': (body, stream) => [
    head([type(stream), 'transfer-encoding: chunked', 'trailer: x-sum']),
    ...chunks(body, 40),
    Buffer.from('0\r\nx-sum: 1\r\n\r\n'),
  ],
  'the end of the connection': (body, stream) => [head([type(stream)], '1.0'), body],
  'interim answers': (body, stream) => [
    Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n'),
    ...measured(body, type(stream)),
  ],
  'headers said twice': (body, stream) =>
    measured(body, type(stream), type(stream), `content-length: ${String(body.length)}`, 'x-a: 1', 'x-a: 2'),
  'another type': (body) => measured(body, 'content-type: text/plain'),
  'no type': (body) => measured(body),
  'the other form': (_, stream) => measured(Buffer.from(stream ? WHOLE : STREAM), type(!stream)),
};
/** The answer without its id, model and time. */
const nameless: Wire = (_, stream) =>
  measured(
    Buffer.from(WHOLE.replace('"id":"c1",', '').replace('"created":1,"model":"m",', '')),
    type(stream),
  );
const names = [...Object.keys(wires), 'nameless'];
const wireAt = (at: number): Wire | undefined =>
  names[at] === 'nameless' ? nameless : wires[names[at] ?? ''];

/** Answers `POST /NUMBER` whole and `/NUMBER/stream` as events, as the wire of that number does. */
const serve = (socket: Socket): void => {
  let got = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => {
    got += bytes.toString('latin1');
    const asked = /^POST \/(\d+)(\/stream)? /.exec(got);
    const end = got.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(got)?.[1] ?? 0);
    if (asked === null || end === -1 || got.length < end + 4 + length) return;
    got = '';
    const stream = asked[2] !== undefined;
    const wire = wireAt(Number(asked[1]));
    for (const part of wire?.(Buffer.from(stream ? STREAM : WHOLE), stream) ?? []) socket.write(part);
    socket.end();
  });
};

let server: Server;
let rig: Rig;
beforeAll(async () => {
  server = createServer(serve);
  const url = await listening(server);
  const channels = names.map((_, at) => ({
    type: 1,
    baseUrl: `${url}/${String(at)}`,
    models: `m${String(at)}`,
  }));
  const ratios = Object.fromEntries(names.map((_, at) => [`m${String(at)}`, 1]));
  rig = await startRig(channels, { ModelRatio: ratios, RetryTimes: 0 }, 1_000_000, oneFormatUpstream);
});
afterAll(async () => {
  await rig.stop();
  server.close();
});

const ask = async (at: number, caller: DialectName, stream: boolean): Promise<Response> => {
  const request = { model: 'm', stream, messages: [], extras: {} };
  const asked = chatDialects[caller].writeRequest({
    ...request,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  });
  const { path, body } = pathAndBody(caller, { ...asked, model: `m${String(at)}`, stream });
  return fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
};

const heard = async (at: number, caller: DialectName, stream: boolean) => {
  const response = await ask(at, caller, stream);
  const bytes = Buffer.from((await response.text()).replace(/^\uFEFF/, ''));
  const { text, finish, usage } = saidIn(await eventsOf(chatDialects[caller], bytes, { stream }));
  return { status: response.status, coding: response.headers.get('content-encoding'), text, finish, usage };
};

describe.each(Object.keys(wires).map((name, at) => [name, at] as const))('an answer with %s', (_, at) => {
  test.each(formats)('is told to callers of %s, streamed and whole', async (caller) => {
    const expected = {
      status: 200,
      coding: null,
      text: WORDS,
      finish: ['stop'],
      usage: { prompt: 3, cached: 0, completion: 5 },
    };
    expect(await heard(at, caller, true)).toEqual(expected);
    expect(await heard(at, caller, false)).toEqual(expected);
  });
});

test('a converted answer that has no name, no model and no time gets ours', async () => {
  const at = names.indexOf('nameless');
  const message = (await (await ask(at, 'anthropic-messages', false)).json()) as Record<string, unknown>;
  expect(message).toMatchObject({ id: expect.stringMatching(/^\d{14}/), model: `m${String(at)}` });
  const response = (await (await ask(at, 'openai-responses', false)).json()) as Record<string, unknown>;
  expect(Number(response['created_at'])).toBeGreaterThan(1_700_000_000);
});
