import fc from 'fast-check';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { formPieces, MIB, part } from './upload-caller.ts';
import { chat, type Rig } from './rig.ts';
import { useGateway } from './use-gateway.ts';

const { start, good } = useGateway();

interface Caller {
  readonly socket: Socket;
  heard(): string;
}

const call = async ({ url }: Rig, text: string | Buffer): Promise<Caller> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let heard = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => (heard += bytes.toString('latin1')));
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(text);
  return { socket, heard: () => heard };
};

const head = (path: string, length: number, more: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: h\r\n${more}Content-Length: ${String(length)}\r\n\r\n`;

/** The bytes of bodies in memory and on disk, and the number of bodies. */
const held = ({ bodies: { memory, disk } }: Rig): number[] => [
  memory.heldBytes,
  memory.owners,
  disk.heldBytes,
  disk.owners,
];

test('bodies without a valid key take no room: hundreds that never end delay no call', async () => {
  const rig = await start([good()]);
  const body = Buffer.alloc(MIB - 1, 'x');
  const strangers = await Promise.all(
    Array.from({ length: 280 }, () => call(rig, head('/v1/chat/completions', MIB, ''))),
  );
  for (const { socket } of strangers) socket.write(body);
  for (const { heard } of strangers) await expect.poll(heard).toMatch(/^HTTP\/1\.1 401 /);
  expect(held(rig)).toEqual([0, 0, 0, 0]);
  const messages = [{ role: 'user', content: 'long '.repeat(30_000) }];
  expect((await chat(rig, { messages })).status).toBe(200);
  for (const { socket } of strangers) socket.destroy();
});

const JSON_TYPE = 'Content-Type: application/json\r\n';
const FORM_TYPE = 'Content-Type: multipart/form-data; boundary=upl0ad\r\n';

test.each([
  ['in the usual header', '/v1/chat/completions', 'Authorization: Bearer sk-wrong\r\n', 'invalid_api_key'],
  ['as Anthropic’s clients send it', '/v1/messages', 'x-api-key: wrong\r\n', 'authentication_error'],
  [
    'as Gemini’s clients send it',
    '/v1beta/models/m:generateContent',
    'x-goog-api-key: w\r\n',
    'UNAUTHENTICATED',
  ],
  ['in the query', '/v1beta/models/m:generateContent?key=wrong', '', 'UNAUTHENTICATED'],
  ['nowhere', '/v1/embeddings', '', 'invalid_api_key'],
  [
    'with a form',
    '/v1/audio/transcriptions',
    `${FORM_TYPE}Authorization: Bearer wrong\r\n`,
    'invalid_api_key',
  ],
  ['to have tokens counted', '/v1/messages/count_tokens', 'x-api-key: wrong\r\n', 'authentication_error'],
  ['for a conversation', '/v1/conversations', 'Authorization: Bearer wrong\r\n', 'invalid_api_key'],
] as const)(
  'a wrong key, sent %s, is told right after the head, and the connection goes on',
  async (...row) => {
    const [, path, key, words] = row;
    const rig = await start([good()]);
    const more = key.includes('multipart') ? key : JSON_TYPE + key;
    for (const length of [300_000, 3 * MIB]) {
      const { socket, heard } = await call(rig, `${head(path, length, more)}only the beginning`);
      await expect.poll(heard).toMatch(/^HTTP\/1\.1 401 /);
      await expect.poll(heard).toContain(words);
      // A client that sends the whole body before reading gets its answer too, and its next call works.
      socket.write(Buffer.alloc(length - 'only the beginning'.length, ' '));
      socket.write(`${head(path, 2, more)}{}`);
      await expect.poll(() => heard().match(/HTTP\/1\.1 401 /g)).toHaveLength(2);
      socket.destroy();
    }
    expect(held(rig)).toEqual([0, 0, 0, 0]);
  },
);

test('a body that would unpack to a multiple of its size is refused before it is unpacked', async () => {
  const rig = await start([good()]);
  const content = 'x'.repeat(31 * MIB);
  const packed = gzipSync(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }));
  expect(packed.length).toBeLessThan(64 * 1024);
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, rig.bodies.memory.heldBytes)), 1);
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const init = {
        body: packed,
        headers: { authorization: `Bearer ${rig.key}`, 'content-encoding': 'gzip' },
      };
      return (await chat(rig, {}, init)).status;
    }),
  );
  clearInterval(watch);
  expect(statuses).toEqual(statuses.map(() => 413));
  expect(most).toBeLessThan(130 * MIB);
  expect(held(rig)).toEqual([0, 0, 0, 0]);
});

test('an endless run of empty compressed blocks is ended', async () => {
  const rig = await start([good()]);
  const key = `${JSON_TYPE}Authorization: Bearer ${rig.key}\r\n`;
  const more = `${key}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n`;
  const { socket, heard } = await call(rig, `POST /v1/embeddings HTTP/1.1\r\nHost: h\r\n${more}\r\n`);
  const parts = Buffer.concat(Array.from({ length: 13_000 }, () => gzipSync('')));
  const chunk = Buffer.concat([Buffer.from(`${parts.length.toString(16)}\r\n`), parts, Buffer.from('\r\n')]);
  for (let sent = 0; sent < 40 * MIB && heard() === ''; sent += chunk.length)
    if (!socket.write(chunk)) await new Promise((resolve) => socket.once('drain', resolve));
  await expect.poll(heard).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
});

test('one key gets at most half of the memory for bodies and a clear error beyond; other callers are served meanwhile', async () => {
  const rig = await start([good()]);
  const more = `${JSON_TYPE}Authorization: Bearer ${rig.key}\r\n`;
  const large = await Promise.all(
    Array.from({ length: 5 }, () => call(rig, `${head('/v1/embeddings', 30 * MIB, more)}{`)),
  );
  const refused = (): Caller[] => large.filter(({ heard }) => heard().startsWith('HTTP/1.1 429 '));
  await expect.poll(refused).toHaveLength(1);
  expect(rig.bodies.memory.heldBytes).toBe(4 * 30 * MIB);
  rig.bodies.memory.take(30 * MIB, 77, 'another address');
  rig.bodies.memory.give(30 * MIB, 77, 'another address');
  for (const { socket } of large) socket.destroy();
  await expect.poll(() => held(rig)).toEqual([0, 0, 0, 0]);
});

test('texts of a form stay in memory and count there, though the form lies in a file', async () => {
  const rig = await start([good()]);
  const more = `${FORM_TYPE}Authorization: Bearer ${rig.key}\r\n`;
  const path = '/v1/audio/transcriptions';
  const { socket } = await call(rig, head(path, 30 * MIB, more));
  for (let field = 0; field < 7; field += 1)
    socket.write(`${part(`name="field${String(field)}"`)}${'x'.repeat(900_000)}\r\n`);
  await expect.poll(() => rig.bodies.disk.heldBytes).toBeGreaterThan(6_200_000);
  expect(rig.bodies.memory.heldBytes).toBeGreaterThan(6_200_000);
  socket.destroy();
  await expect.poll(() => held(rig)).toEqual([0, 0, 0, 0]);
});

const PACKED = gzipSync(JSON.stringify({ model: 'm', input: 'words '.repeat(20_000) }));
const FORM = Buffer.concat([...formPieces(1, 'model-last')]);
const PLAIN = Buffer.from(JSON.stringify({ model: 'm', input: 'words '.repeat(15_000) }));
const chunked = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);

interface Request {
  readonly kind: 'plain' | 'packed' | 'form' | 'chunked';
  readonly isKnown: boolean;
  readonly isTwice: boolean;
  readonly part: number;
}

/** A random request: its kind, its caller, and how much is sent before the caller leaves. */
const requests = fc.record<Request>({
  kind: fc.constantFrom('plain', 'packed', 'form', 'chunked'),
  isKnown: fc.boolean(),
  isTwice: fc.boolean(),
  part: fc.constantFrom(0.1, 0.6, 1),
});

test('whatever callers send, and wherever they leave, no memory stays taken', async () => {
  const rig = await start([good()]);
  const bytesOf = ({ kind, isKnown, isTwice, part }: Request): Buffer => {
    const key = isKnown ? `Authorization: Bearer ${rig.key}\r\n` : '';
    const body = { plain: PLAIN, packed: PACKED, form: FORM, chunked: chunked(PLAIN) }[kind];
    const more = {
      plain: JSON_TYPE,
      packed: `${JSON_TYPE}Content-Encoding: gzip\r\n`,
      form: FORM_TYPE,
      chunked: `${JSON_TYPE}Transfer-Encoding: chunked\r\n`,
    }[kind];
    const path = kind === 'form' ? '/v1/audio/transcriptions' : '/v1/embeddings';
    const start = head(path, body.length, more + key);
    const whole = Buffer.concat([
      Buffer.from(kind === 'chunked' ? start.replace(/Content-Length: \d+\r\n/, '') : start),
      body,
    ]);
    const sent = whole.subarray(0, Math.ceil(whole.length * part));
    return isTwice ? Buffer.concat([sent, sent]) : sent;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { minLength: 1, maxLength: 6 }), async (sent) => {
      const bytes = sent.map(bytesOf);
      const callers = await Promise.all(bytes.map((one) => call(rig, one)));
      // Without a valid key the answer follows the head; a missing head has a timeout of many seconds.
      const isAnswered = (at: number): boolean =>
        sent[at]?.part === 1 || (sent[at]?.isKnown === false && bytes[at]?.includes('\r\n\r\n') === true);
      const answered = callers.filter((_, at) => isAnswered(at));
      for (const { heard } of answered) await expect.poll(heard).toMatch(/^HTTP\/1\.1 \d\d\d /);
      for (const { socket } of callers) socket.destroy();
      await expect.poll(() => held(rig)).toEqual([0, 0, 0, 0]);
    }),
    { numRuns: 20 },
  );
});
