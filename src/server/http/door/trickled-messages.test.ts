import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { MessageSocket } from '#core/outbound/message-socket.ts';
import { openDoor, relayOf } from '../testing/open-door.ts';

const SECOND = 1000;

let door: Awaited<ReturnType<typeof openDoor>>;
let nowMs = 1_000_000;
/** How often the door has asked for the time. */
let looks = 0;
const clock = {
  now: () => 1_795_262_018_345,
  monotonic: () => {
    looks += 1;
    return nowMs;
  },
};
/** So much time passes, and the door looks at its connections. */
const passed = async (ms: number): Promise<void> => {
  nowMs += ms;
  const before = looks;
  await expect.poll(() => looks, { interval: 2 }).toBeGreaterThan(before + 5);
};
let heard: string[] = [];
let caller: MessageSocket | undefined;

const listen = (socket: MessageSocket | undefined): void => {
  caller = socket;
  if (socket === undefined) return;
  socket.onMessage = (data) => heard.push(data.toString());
  socket.resume();
};

const open = async (path: string): Promise<WebSocket> => {
  heard = [];
  const relay = relayOf(() => Promise.resolve());
  door = await openDoor(() => Promise.resolve(), {
    clock,
    relay: {
      ...relay,
      realtime: async ({ accept }) => listen(await accept(1)),
      responses: async ({ accept }) => listen(await accept(1)),
    },
  });
  const socket = new WebSocket(`ws://127.0.0.1:${String(door.port)}${path}`);
  await once(socket, 'open');
  return socket;
};
afterEach(() => door.stop());

const pong = async (socket: WebSocket): Promise<void> => {
  const answered = Promise.race([once(socket, 'pong'), once(socket, 'close')]);
  socket.ping();
  await answered;
};
/** So much time passes, with a ping and its answer every few seconds. */
const pass = async (socket: WebSocket, seconds: number, each?: () => void): Promise<void> => {
  for (let at = 0; at < seconds && socket.readyState === WebSocket.OPEN; at += 20) {
    nowMs += 20 * SECOND;
    each?.();
    if (socket.readyState !== WebSocket.OPEN) return;
    await pong(socket);
    await passed(0);
  }
};

describe.each(['/v1/realtime?model=m', '/v1/responses'])('a message at %s', (path) => {
  test.each([
    ['fragments of letters', (socket: WebSocket) => socket.send('x', { fin: false })],
    ['fragments of nothing', (socket: WebSocket) => socket.send('', { fin: false })],
  ])('that trickles in %s is ended after two minutes, whatever pings are answered', async (_, send) => {
    const socket = await open(path);
    const closed = once(socket, 'close');
    send(socket);
    let fragments = 0;
    await pass(socket, 300, () => {
      fragments += 1;
      send(socket);
    });
    expect((await closed)[0]).toBe(1008);
    expect(fragments).toBeGreaterThanOrEqual(5);
    expect(fragments).toBeLessThanOrEqual(9);
  });

  test('that arrives in time is read, and a connection that only pings stays open', async () => {
    const socket = await open(path);
    await pass(socket, 600);
    for (let message = 0; message < 3; message += 1) {
      socket.send('a', { fin: false });
      await pass(socket, 60);
      socket.send('b', { fin: true });
      await expect.poll(() => heard.length).toBe(message + 1);
    }
    await pass(socket, 600);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    expect(heard).toEqual(['ab', 'ab', 'ab']);
    socket.terminate();
  });

  test('arrives among pings; of many pings in a row the last is answered', async () => {
    const socket = await open(path);
    const answers: string[] = [];
    socket.on('pong', (data) => answers.push(data.toString()));
    for (let at = 0; at < 1000; at += 1) socket.ping(String(at));
    socket.send('a');
    socket.ping('last');
    await expect.poll(() => answers.at(-1)).toBe('last');
    expect(heard).toEqual(['a']);
    expect(answers.length).toBeLessThan(100);
    await pong(socket);
    socket.terminate();
  });

  test('does not time out while nobody reads it', async () => {
    const socket = await open(path);
    socket.send('a', { fin: false });
    await pong(socket);
    caller?.pause();
    for (let at = 0; at < 20; at += 1) await passed(20 * SECOND);
    caller?.resume();
    socket.send('b', { fin: true });
    await expect.poll(() => heard).toEqual(['ab']);
    socket.terminate();
  });

  test('that arrives together with the upgrade request is read whole', async () => {
    const socket = await open(path);
    socket.terminate();
    const text = `${'x'.repeat(500)}\r\n\r\n`.repeat(100);
    // Masked with zeros.
    const frame = Buffer.concat([Buffer.from([0x81, 0xfe, 0, 0, 0, 0, 0, 0]), Buffer.from(text)]);
    frame.writeUInt16BE(text.length, 2);
    const early = connect(door.port, '127.0.0.1');
    early.write(
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    early.write(frame.subarray(0, 40_000));
    early.write(Buffer.concat([frame.subarray(40_000), frame]));
    await expect.poll(() => heard).toEqual([text, text]);
    early.destroy();
  });
});
