import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asAppError } from '#core/error.ts';
import { openDoor } from '../testing/open-door.ts';

/** Requests that never end to arrive keep no connection of node's server, however busily they send. */

const SECOND = 1000;
const TIMED_OUT = /^HTTP\/1\.1 408 Request Timeout\r\nx-oneapi-request-id: \S+\r\n/i;

/** Sends a piece again and again until the connection is closed. */
const trickle = async (
  { socket, isClosed }: Awaited<ReturnType<Awaited<ReturnType<typeof openDoor>>['connect']>>,
  piece: string,
): Promise<void> => {
  const pieces = setInterval(() => socket.write(piece), 100);
  await expect.poll(isClosed).toBe(true);
  clearInterval(pieces);
};

test('a head has ten seconds', async () => {
  const door = await openDoor(() => Promise.resolve());
  const visit = await door.connect();
  const sinceMs = performance.now();
  visit.socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  await trickle(visit, 'x: y\r\n');
  expect(performance.now() - sinceMs).toBeGreaterThan(9.9 * SECOND);
  expect(visit.heard()).toMatch(TIMED_OUT);
  await door.stop();
});

describe('a request that is to arrive within a second', () => {
  let door: Awaited<ReturnType<typeof openDoor>>;
  /** Ends the answer of every call. */
  const end = Promise.withResolvers<void>();
  const ends: string[] = [];
  let pages = 0;

  beforeAll(async () => {
    door = await openDoor(
      async (call) => {
        const read = await call.readBody(1).catch(asAppError);
        ends.push('code' in read ? read.code : read.toString());
        await end.promise;
        call.reply.start(200, { 'content-length': '2' });
        call.reply.end(Buffer.from('{}'));
      },
      {
        arrivalMs: { head: SECOND, whole: SECOND },
        site: () => (_, response) => {
          pages += 1;
          response.end('page');
        },
      },
    );
  });
  afterAll(() => door.stop());

  const head = 'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

  test.each([
    'GET / HTTP/1.1\r\nHost: x\r\n',
    'GET /v1/realtime HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n',
  ])('is not served if its head comes to its end after the refusal', async (beginning) => {
    const { socket, heard } = await door.connect();
    socket.write(beginning);
    await expect.poll(heard).toMatch(TIMED_OUT);
    const refusal = heard();
    socket.write('\r\n');
    // Only whoever sends hears that the other side is gone.
    const sends = (): boolean => {
      door.pass(SECOND);
      return !socket.destroyed && (socket.write('x') || true);
    };
    await expect.poll(sends).toBe(false);
    expect(heard()).toBe(refusal);
    expect(pages).toBe(0);
  });

  test('is refused if it does not, and nobody waits for it; one that has arrived takes as long as it needs', async () => {
    const whole = await door.connect();
    whole.socket.write(`${head}2\r\n{}\r\n0\r\n\r\n`);
    await expect.poll(() => ends).toEqual(['{}']);
    const slow = await door.connect();
    slow.socket.write(head);
    await trickle(slow, '1\r\nx\r\n');
    expect(slow.heard()).toMatch(TIMED_OUT);
    // What comes after the refusal completes nothing.
    slow.socket.write('0\r\n\r\n');
    await expect.poll(() => ends).toEqual(['{}', 'client_closed']);
    expect([whole.isClosed(), whole.heard()]).toEqual([false, '']);
    end.resolve();
    await expect.poll(whole.heard).toMatch(/^HTTP\/1\.1 200 /);
  });
});
