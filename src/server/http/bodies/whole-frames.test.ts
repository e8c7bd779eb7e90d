import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { afterEach, expect, test } from 'vitest';
import { WholeFrames, withWholeFrames } from './whole-frames.ts';

const MEGABYTE = 1024 * 1024;
const MOST = 8 * MEGABYTE;

const bytesOf = (length: number): Buffer =>
  Buffer.alloc(length, Buffer.from(Uint8Array.from({ length: 251 }, (_, at) => at)));

const MASK = Buffer.from([0x12, 0, 0xff, 0x80]);

/** A frame of a caller, by RFC 6455, section 5.2. */
const frameOf = (payload: Buffer, first: number): Buffer => {
  const { length } = payload;
  const long = Buffer.alloc(8);
  long.writeBigUInt64BE(BigInt(length));
  const head =
    length < 126
      ? Buffer.of(first, 0x80 + length)
      : length < 65_536
        ? Buffer.concat([Buffer.of(first, 0x80 + 126), long.subarray(6)])
        : Buffer.concat([Buffer.of(first, 0x80 + 127), long]);
  return Buffer.concat([head, MASK, Buffer.from(payload.map((byte, at) => byte ^ (MASK[at % 4] ?? 0)))]);
};

const framed = (length: number): Buffer => frameOf(bytesOf(length), 0x82);

/** The same frame of a payload that is not masked, as `WholeFrames` gives it. */
const unmasked = (length: number): Buffer => {
  const frame = framed(length);
  const from = frame.length - length;
  frame.fill(0, from - 4, from);
  frame.set(bytesOf(length), from);
  return frame;
};

const SHORT = [0, 125, 126, 65_535, 65_536, MEGABYTE - 1];
const LONG = [MEGABYTE, 3 * MEGABYTE + 1];

test.each([1 << 30, 65_536, 65_521])(
  'long frames are passed on whole and unmasked, the rest as it came, from pieces of %d',
  (piece) => {
    const sent = [...SHORT, ...LONG, MOST + 1, 7].map((length) => framed(length));
    const expected = [
      ...SHORT.map((length) => framed(length)),
      ...LONG.map(unmasked),
      framed(MOST + 1),
      framed(7),
    ];
    const all = Buffer.concat(sent);
    const frames = new WholeFrames(MOST);
    const given: Buffer[] = [];
    for (let at = 0; at < all.length; at += piece) given.push(...frames.take(all.subarray(at, at + piece)));
    expect(Buffer.concat(given).equals(Buffer.concat(expected))).toBe(true);
    const lengths = given.map(({ length }) => length);
    expect(lengths).toEqual(expect.arrayContaining(LONG));
  },
);

test('a head that comes byte by byte is understood', () => {
  const sent = framed(MEGABYTE);
  const frames = new WholeFrames(MOST);
  const given = [...sent.subarray(0, 20)].flatMap((byte) => [...frames.take(Buffer.of(byte))]);
  given.push(...frames.take(sent.subarray(20)));
  expect(Buffer.concat(given).equals(unmasked(MEGABYTE))).toBe(true);
  expect(given.at(-1)?.length).toBe(MEGABYTE);
});

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server whose sockets get their long frames whole, and what it hears. */
const listen = async () => {
  const heard: string[] = [];
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MOST, allowSynchronousEvents: false });
  const server = createServer();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    sockets.handleUpgrade(request, socket, head, (raw) => {
      withWholeFrames(socket, MOST);
      raw.on('message', (data: Buffer, isBinary) => {
        heard.push(
          `${isBinary ? 'bytes' : 'text'} ${String(data.length)} ${String(data.equals(bytesOf(data.length)))}`,
        );
        raw.send('heard');
      });
      raw.on('close', (code) => heard.push(`close ${String(code)}`));
      raw.on('error', () => undefined);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => (server.closeAllConnections(), void server.close()));
  return { heard, port: (server.address() as AddressInfo).port };
};

const opened = async (port: number): Promise<WebSocket> => {
  const socket = new WebSocket(`ws://127.0.0.1:${String(port)}`);
  closing.push(() => socket.terminate());
  await once(socket, 'open');
  return socket;
};

/** A socket that speaks frames by hand. */
const upgraded = async (port: number): Promise<Socket> => {
  const raw = connect(port, '127.0.0.1');
  closing.push(() => raw.destroy());
  raw.write(
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await once(raw, 'data');
  return raw;
};

test('messages long and short, in one frame and in several, arrive as they were sent, in order', async () => {
  const { heard, port } = await listen();
  const socket = await opened(port);
  const lengths = [5, 3 * MEGABYTE, 70_000, MEGABYTE, 0, MOST];
  for (const length of lengths) socket.send(bytesOf(length));
  socket.send(bytesOf(2 * MEGABYTE), { fin: false });
  socket.send(bytesOf(10), { fin: true });
  await expect.poll(() => heard.length).toBe(lengths.length + 1);
  expect(heard.slice(0, -1)).toEqual(lengths.map((length) => `bytes ${String(length)} true`));
  expect(heard.at(-1)).toContain(`bytes ${String(2 * MEGABYTE + 10)}`);
});

test('a frame over the limit is refused by its header', async () => {
  const { port } = await listen();
  const raw = await upgraded(port);
  const answered = once(raw, 'data') as Promise<[Buffer]>;
  raw.write(framed(MOST + 1).subarray(0, 14));
  const [answer] = await answered;
  expect([answer[0], answer.readUInt16BE(2)]).toEqual([0x88, 1009]);
});

test('data after a close frame is ignored', async () => {
  const { heard, port } = await listen();
  const raw = await upgraded(port);
  const close = frameOf(Buffer.of(0x03, 0xe8), 0x88);
  raw.write(Buffer.concat([framed(3), close, framed(2 * MEGABYTE), framed(4)]));
  raw.resume();
  await once(raw, 'close');
  await expect.poll(() => heard).toEqual(['bytes 3 true', 'close 1000']);
});

test('which message is arriving is known from the first byte of its first frame to the last of its last', () => {
  const frames = new WholeFrames(MOST);
  const after = (bytes: Buffer): number | undefined => {
    frames.take(bytes);
    return frames.arriving;
  };
  const [begun, middle, last, ping, whole] = [
    frameOf(bytesOf(200), 0x02),
    frameOf(Buffer.alloc(0), 0x00),
    frameOf(bytesOf(3), 0x80),
    frameOf(bytesOf(5), 0x89),
    frameOf(bytesOf(9), 0x82),
  ];
  expect(after(ping)).toBeUndefined();
  expect(after(ping.subarray(0, 1))).toBe(2);
  expect(after(ping.subarray(1, 9))).toBe(2);
  expect(after(ping.subarray(9))).toBeUndefined();
  for (const part of [
    begun.subarray(0, 3),
    begun.subarray(3),
    ping,
    middle,
    ping.subarray(0, 7),
    ping.subarray(7),
  ])
    expect(after(part)).toBe(3);
  expect(after(last)).toBeUndefined();
  expect(after(Buffer.concat([whole, whole.subarray(0, 7)]))).toBe(5);
  expect(after(whole.subarray(7))).toBeUndefined();
});
