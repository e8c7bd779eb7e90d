import { afterEach, describe, expect, test } from 'vitest';
import { asAppError } from '#core/error.ts';
import type { RelayCall } from '../../relay/calls.ts';
import { openDoor, postOf, type Visit } from '../testing/open-door.ts';

/** Answers a call, with as many bytes as its body asks for. */
const answer = async (call: RelayCall): Promise<void> => {
  const { reply, headers } = call;
  const isGood = headers.authorization !== undefined;
  const asked = isGood ? (await call.readBody(1).catch(asAppError)).toString() : '';
  const bytes = Buffer.alloc(/^\d+$/.test(asked) ? Number(asked) : 3, 'x');
  reply.start(isGood ? 200 : 401, { 'content-length': String(bytes.length) });
  reply.end(bytes);
};
const GOOD = 'Authorization: good\r\n';
const MIB = 1024 * 1024;
const SECOND = 1000;

let door: Awaited<ReturnType<typeof openDoor>>;
afterEach(() => door.stop());

/** Whether one more connection has its call served. */
const isLetIn = async (): Promise<boolean> => {
  const { socket, heard, isClosed } = await door.connect();
  socket.write(postOf('3', GOOD));
  await expect.poll(() => isClosed() || heard().includes('200 OK')).toBe(true);
  socket.destroy();
  return heard().includes('200 OK');
};

const read = ({ heard }: Visit, count: number) =>
  expect.poll(() => heard().match(/HTTP\/1\.1 \d\d\d/g)?.length ?? 0).toBe(count);

/** Sends a good call on each, their so many-th, and waits for the answers. */
const serve = async (visits: readonly Visit[], count: number): Promise<void> => {
  for (const { socket } of visits) socket.write(postOf('3', GOOD));
  await Promise.all(visits.map((visit) => read(visit, count)));
};

describe('connections of one address', () => {
  test('are bounded; another address and a trusted proxy still get in, and one that left makes room', async () => {
    door = await openDoor(answer, { connectionsPerAddress: 3, trustedProxies: ['127.0.0.9'] });
    const held = await Promise.all(Array.from({ length: 3 }, () => door.connect()));
    const fourth = await door.connect();
    await expect.poll(fourth.isClosed).toBe(true);
    expect(fourth.heard()).toMatch(/^(?:HTTP\/1\.1 429 |$)/);
    for (const address of ['127.0.0.2', '127.0.0.9', '127.0.0.9', '127.0.0.9', '127.0.0.9']) {
      const other = await door.connect(address);
      other.socket.write(postOf('3', GOOD));
      await read(other, 1);
    }
    held[0]?.socket.destroy();
    await expect
      .poll(async () => {
        const next = await door.connect();
        next.socket.write(postOf('3', GOOD));
        await expect.poll(() => next.isClosed() || next.heard().includes('200 OK')).toBe(true);
        return next.heard().slice(0, 15);
      })
      .toBe('HTTP/1.1 200 OK');
  });

  test('are closed for a newcomer if all places are taken: the oldest without a key first, never one with a key', async () => {
    door = await openDoor(answer, { maxConnections: 20 });
    const known = await Promise.all([door.connect(), door.connect()]);
    await serve(known, 1);
    const holders: Visit[] = [];
    for (let at = 0; at < 40; at += 1) {
      const holder = await door.connect(`127.0.1.${at + 1}`);
      holder.socket.write('POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n');
      holders.push(holder);
    }
    for (let at = 0; at < 5; at += 1) expect(await isLetIn()).toBe(true);
    await expect.poll(() => holders.slice(0, 22).every(({ isClosed }) => isClosed())).toBe(true);
    expect(holders.slice(-13).filter(({ isClosed }) => isClosed())).toEqual([]);
    await serve(known, 2);
  });

  test('are refused with 503, not 429, while every place is held with a key', async () => {
    door = await openDoor(answer, { maxConnections: 2 });
    const known = await Promise.all([door.connect(), door.connect()]);
    await serve(known, 1);
    const third = await door.connect();
    await expect.poll(third.isClosed).toBe(true);
    expect(third.heard()).toMatch(/^(?:HTTP\/1\.1 503 |$)/);
    known[0]?.socket.destroy();
    await expect.poll(isLetIn).toBe(true);
  });

  test('may idle for a shorter time while they have shown no key, and are told five seconds less than that', async () => {
    door = await openDoor(answer);
    const [silent, stranger, known] = await Promise.all([door.connect(), door.connect(), door.connect()]);
    stranger.socket.write(postOf(''));
    known.socket.write(postOf('3', GOOD));
    await Promise.all([read(stranger, 1), read(known, 1)]);
    expect(stranger.heard()).toContain('Keep-Alive: timeout=10\r\n');
    expect(known.heard()).toContain('Keep-Alive: timeout=70\r\n');
    door.pass(16 * SECOND);
    await expect.poll(() => [silent.isClosed(), stranger.isClosed()]).toEqual([true, true]);
    expect(known.isClosed()).toBe(false);
    door.pass(60 * SECOND);
    await expect.poll(known.isClosed).toBe(true);
  });

  test('do not time out by a stall of this process: data that has arrived is read first', async () => {
    door = await openDoor(answer);
    const visits = await Promise.all([door.connect(), door.connect()]);
    // After this, timers come before sockets, as after any stall.
    await new Promise((resolve) => setImmediate(resolve));
    for (const { socket } of visits) socket.write(postOf('3', GOOD));
    door.pass(16 * SECOND);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    await Promise.all(visits.map((visit) => read(visit, 1)));
    expect(visits.map((visit) => visit.isClosed())).toEqual([false, false]);
  });

  test('are closed soon after the server ended them, whatever their caller does', async () => {
    door = await openDoor(answer, { connectionsPerAddress: 1 });
    const broken = await door.connect();
    broken.socket.write('no request at all\r\n\r\n');
    await read(broken, 1);
    expect(broken.heard()).toMatch(/^HTTP\/1\.1 400 /);
    expect(await isLetIn()).toBe(false);
    door.pass(9 * SECOND);
    // Two checks: one sees that it ended, one sees how long ago.
    await expect.poll(() => (door.pass(SECOND), isLetIn())).toBe(true);
  });
});

describe.each([
  ['the lane', ''],
  ['node’s server', 'X-A: 1\r\nX-A: 2\r\n'],
])('an answer on %s', (_, more) => {
  const LARGE = 24 * MIB;

  test('reaches the end of a caller that reads slowly, however long that takes', async () => {
    door = await openDoor(answer);
    const { socket, heard } = await door.connect();
    let wanted = 1;
    socket.on('data', () => {
      if (heard().length >= wanted) socket.pause();
    });
    socket.write(postOf(String(LARGE), GOOD + more));
    // One mebibyte every five seconds: two minutes in all.
    for (; wanted < LARGE; wanted += MIB) {
      socket.resume();
      await expect.poll(() => heard().length, { interval: 10 }).toBeGreaterThanOrEqual(wanted);
      door.pass(5 * SECOND);
    }
    socket.resume();
    wanted = Infinity;
    await expect.poll(() => heard().length).toBeGreaterThan(LARGE);
    expect(heard()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('is cut off where its caller reads nothing for a minute', async () => {
    door = await openDoor(answer, { connectionsPerAddress: 1 });
    const { socket, heard, isClosed } = await door.connect();
    socket.pause();
    socket.write(postOf(String(LARGE), GOOD + more));
    await expect.poll(() => socket.readableLength).toBeGreaterThan(0);
    expect(await isLetIn()).toBe(false);
    // Data the kernels buffer is progress as well: nothing moves only once they are full.
    let passedMs = 0;
    const passed = async (): Promise<boolean> => {
      door.pass(SECOND);
      passedMs += SECOND;
      return isLetIn();
    };
    await expect.poll(passed, { interval: 10 }).toBe(true);
    expect(passedMs).toBeGreaterThan(50 * SECOND);
    socket.resume();
    await expect.poll(isClosed).toBe(true);
    expect(heard().length).toBeLessThan(LARGE);
  });
});

test('an answer that is not read holds back the calls behind it', async () => {
  let served = 0;
  door = await openDoor(async (call) => {
    served += 1;
    return answer(call);
  });
  const { socket } = await door.connect();
  socket.pause();
  const large = postOf(String(8 * MIB), GOOD);
  socket.write(large + large + large + large);
  await expect.poll(() => served).toBeGreaterThan(0);
  // The only sign that no further call begins is that the event loop turns without one.
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(served).toBeLessThan(4);
  socket.resume();
  await expect.poll(() => served).toBe(4);
});

test('a stranger who does not read its refusals is cut off, and what it sends is not stored', async () => {
  let served = 0;
  door = await openDoor(async (call) => {
    served += 1;
    return answer(call);
  });
  const { socket } = await door.connect();
  socket.pause();
  let isGone = false;
  socket.on('close', () => (isGone = true));
  const many = Buffer.from(postOf('{}').repeat(200));
  let sent = 0;
  const send = (): void => {
    while (!isGone && sent < 200 * MIB) {
      sent += many.length;
      if (!socket.write(many)) return void socket.once('drain', send);
    }
  };
  send();
  await expect.poll(() => isGone).toBe(true);
  // What was sent and not served is in kernel buffers, not in this process.
  expect(socket.bytesWritten - socket.writableLength - served * postOf('{}').length).toBeLessThan(16 * MIB);
});

test('calls behind one that offers HTTP/2 are served, or told by the closing that they were not', async () => {
  door = await openDoor(answer);
  const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n';
  const lane = await door.connect();
  lane.socket.write(postOf('3', GOOD + h2c) + postOf('3', GOOD + h2c) + postOf('3', GOOD));
  await read(lane, 3);
  const node = await door.connect();
  const get = `GET /v1/models HTTP/1.1\r\nHost: x\r\n${h2c}\r\n`;
  node.socket.write(get + get);
  await expect.poll(node.isClosed).toBe(true);
  expect(node.heard()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*Connection: close/is);
});

test('the limit of a request’s head is the same for both parsers', async () => {
  door = await openDoor(answer);
  for (const more of ['', 'X-B: 1\r\nX-B: 2\r\n']) {
    const long = await door.connect();
    long.socket.write(postOf('3', `${GOOD}${more}X-A: ${'a'.repeat(20 * 1024)}\r\n`));
    await expect.poll(long.heard).toMatch(/^HTTP\/1\.1 431 /);
    const fits = await door.connect();
    fits.socket.write(postOf('3', `${GOOD}${more}X-A: ${'a'.repeat(15 * 1024)}\r\n`));
    await expect.poll(fits.heard).toMatch(/^HTTP\/1\.1 200 /);
  }
});

test.each([
  ['a small call', 300_000, ''],
  ['a large call', 3 * MIB, ''],
  ['a head that is refused', 3 * MIB, 'Host: y\r\n'],
])(
  'the answer to %s reaches a caller that sends its body to the end, then closes',
  async (_, length, more) => {
    door = await openDoor(answer);
    const { socket, heard } = await door.connect();
    const isLost = new Promise<boolean>((resolve) => void socket.once('close', resolve));
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}`;
    socket.write(`${head}Content-Length: ${String(length)}\r\n\r\nonly the beginning`);
    await expect.poll(heard).toMatch(/^HTTP\/1\.1 40[01] /);
    const rest = Buffer.alloc(length - 'only the beginning'.length);
    for (let at = 0; at < rest.length; at += MIB)
      await new Promise((resolve) => socket.write(rest.subarray(at, at + MIB), resolve));
    socket.end();
    expect(await isLost).toBe(false);
  },
);

describe('answers that are not read', () => {
  const LARGE = 24 * MIB;
  const unread = async (address: string, more = ''): Promise<Visit> => {
    const one = await door.connect(address);
    one.socket.pause();
    one.socket.write(postOf(String(LARGE), GOOD + more));
    await expect.poll(() => one.socket.readableLength).toBeGreaterThan(0);
    return one;
  };
  const readToEnd = async ({ socket, heard, isClosed }: Visit): Promise<boolean> => {
    socket.resume();
    await expect.poll(() => isClosed() || heard().length > LARGE).toBe(true);
    return heard().length > LARGE;
  };

  test.each<[string, (who: number) => Promise<Visit>]>([
    ['the address', (who) => unread(`127.0.0.${who}`)],
    ['the client of a proxy', (who) => unread('127.0.0.9', `X-Forwarded-For: 203.0.113.${who}\r\n`)],
  ])('have a limit together; beyond it %s that has most of them loses a connection', async (_, ask) => {
    door = await openDoor(answer, { unreadMaxBytes: 3.5 * LARGE, trustedProxies: ['127.0.0.9'] });
    const modest = await ask(2);
    const greedy = await Promise.all([ask(1), ask(1), ask(1)]);
    const heard = await Promise.all(greedy.map(readToEnd));
    expect(heard.filter(Boolean)).toHaveLength(2);
    expect(await readToEnd(modest)).toBe(true);
  });

  test('count while they wait for an answer before them', async () => {
    door = await openDoor(answer, { unreadMaxBytes: 3 * LARGE });
    const odd = 'X-A: 1\r\nX-A: 2\r\n';
    const one = await unread('127.0.0.1', odd);
    for (let count = 0; count < 3; count += 1) one.socket.write(postOf(String(LARGE), GOOD + odd));
    expect(await readToEnd(one)).toBe(false);
  });
});
