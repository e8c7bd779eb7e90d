import { afterEach, expect, test } from 'vitest';
import type { RelayCall } from '../../relay/calls.ts';
import { openDoor } from '../testing/open-door.ts';

/** The rest of a body that was refused by its head is read so that its sender sees the answer, but not for ever. */

const refuse = async ({ reply }: RelayCall): Promise<void> => {
  reply.start(401, { 'content-length': '3' });
  reply.end(Buffer.from('no!'));
};
const MIB = 1024 * 1024;
const SECOND = 1000;
const headOf = (more: string): string => `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

let door: Awaited<ReturnType<typeof openDoor>>;
afterEach(() => door.stop());

test.each([
  ['the lane', 'Content-Length: 900000\r\n', 'only the beginning'],
  ['node’s server', 'Transfer-Encoding: chunked\r\n', '5\r\nonly \r\n'],
])('on %s, for half a minute', async (_, more, beginning) => {
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

test('of an endless one, 64 MiB', async () => {
  door = await openDoor(refuse);
  const { socket, heard } = await door.connect();
  socket.write(headOf('Transfer-Encoding: chunked\r\n'));
  await expect.poll(heard).toMatch(/^HTTP\/1\.1 401 /);
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MIB), Buffer.from('\r\n')]);
  let [sentBytes, isLost] = [0, false];
  while (!isLost && sentBytes < 200 * MIB) {
    isLost = await new Promise((resolve) => socket.write(chunk, (error) => resolve(error instanceof Error)));
    if (!isLost) sentBytes += chunk.length;
  }
  expect(isLost).toBe(true);
  expect(sentBytes).toBeGreaterThan(60 * MIB);
});
