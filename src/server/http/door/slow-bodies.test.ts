import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { asAppError } from '#core/error.ts';
import type { RelayCall } from '../../relay/calls.ts';
import { openDoor } from '../testing/open-door.ts';

/** Bodies that do not end keep no connection for ever, whether somebody wants them or not. */

const refuse = async ({ reply }: RelayCall): Promise<void> => {
  reply.start(401, { 'content-length': '3' });
  reply.end(Buffer.from('no!'));
};
const MIB = 1024 * 1024;
const SECOND = 1000;
const headOf = (more: string): string => `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

let door: Awaited<ReturnType<typeof openDoor>>;
afterEach(() => door.stop());

describe('the rest of a body that was refused by its head', () => {
  test.each([
    ['the lane', 'Content-Length: 900000\r\n', 'only the beginning'],
    ['node’s server', 'Transfer-Encoding: chunked\r\n', '5\r\nonly \r\n'],
  ])('is read for half a minute on %s', async (_, more, beginning) => {
    door = await openDoor(refuse);
    const { socket, heard, isClosed } = await door.connect();
    socket.write(headOf(more) + beginning);
    await expect.poll(heard).toMatch(/^HTTP\/1\.1 401 /);
    door.pass(29 * SECOND);
    // It is looked at again and again.
    const next = await door.connect();
    next.socket.write(headOf('Content-Length: 2\r\n') + '{}');
    await expect.poll(next.heard).toMatch(/^HTTP\/1\.1 401 /);
    expect(isClosed()).toBe(false);
    door.pass(2 * SECOND);
    await expect.poll(isClosed).toBe(true);
  });

  test('once it has come, limits the body of no later call on its connection', async () => {
    const read: number[] = [];
    door = await openDoor(async (call) => {
      if (call.headers['x-refused'] !== undefined) return refuse(call);
      read.push((await call.readBody(1)).length);
      await refuse(call);
    });
    const { socket, heard, isClosed } = await door.connect();
    socket.write(`${headOf('X-Refused: 1\r\nContent-Length: 9\r\n')}begins`);
    await expect.poll(heard).toMatch(/no!$/);
    // Its end and the next call come at once: at no look is the connection without a body that arrives.
    socket.write(`end${headOf('Content-Length: 4\r\n')}`);
    for (const piece of 'slow') {
      const silent = await door.connect();
      door.pass(20 * SECOND);
      // Connections have been looked at.
      await expect.poll(silent.isClosed).toBe(true);
      socket.write(piece);
    }
    await expect.poll(() => read).toEqual([4]);
    expect(isClosed()).toBe(false);
  });

  test('is read up to 64 MiB, however fast it comes', async () => {
    door = await openDoor(refuse);
    const { socket, heard } = await door.connect();
    socket.write(headOf('Transfer-Encoding: chunked\r\n'));
    await expect.poll(heard).toMatch(/^HTTP\/1\.1 401 /);
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MIB), Buffer.from('\r\n')]);
    let [sentBytes, isLost] = [0, false];
    while (!isLost && sentBytes < 200 * MIB) {
      isLost = await new Promise((resolve) =>
        socket.write(chunk, (error) => resolve(error instanceof Error)),
      );
      if (!isLost) sentBytes += chunk.length;
    }
    expect(isLost).toBe(true);
    expect(sentBytes).toBeGreaterThan(60 * MIB);
  });
});

test('a caller whose body stops in the middle is told so after two minutes, and nobody waits for it', async () => {
  const ends: string[] = [];
  let begun = 0;
  door = await openDoor(async (call) => {
    begun += 1;
    const failure = await call.readBody(1).catch(asAppError);
    ends.push('code' in failure ? failure.code : 'read');
  });
  const { socket, heard, isClosed } = await door.connect();
  socket.write(headOf('Content-Length: 900000\r\n') + 'only the beginning');
  await expect.poll(() => begun).toBe(1);
  door.pass(119 * SECOND);
  const next = await door.connect();
  next.socket.write(headOf('Content-Length: 2\r\n') + '{}');
  await expect.poll(() => ends).toEqual(['read']);
  expect(isClosed()).toBe(false);
  door.pass(2 * SECOND);
  await expect.poll(isClosed).toBe(true);
  expect(heard()).toMatch(/^HTTP\/1\.1 408 /);
  expect(ends).toEqual(['read', 'client_closed']);
});

test('a stranger’s connection is idle only once its last answer is sent, not while the next is being made', async () => {
  const made: ServerResponse[] = [];
  door = await openDoor(refuse, {
    site: () => (request, response) => {
      if (request.url === '/at-once') response.end('first');
      else made.push(response);
    },
  });
  const { socket, heard } = await door.connect();
  socket.write(['/at-once', '/slow'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  await expect.poll(heard).toMatch(/first/);
  const served = made[0]?.socket;
  expect(served?.timeout ?? 0).toBe(0);
  made[0]?.end('second');
  await expect.poll(() => served?.timeout).toBe(15 * SECOND);
  await expect.poll(heard).toMatch(/second/);
  expect(heard().match(/(?<=Keep-Alive: ).+/g)).toEqual(['timeout=10', 'timeout=10']);
});
