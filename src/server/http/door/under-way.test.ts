import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendJson } from './send-json.ts';
import { openDoor } from '../testing/open-door.ts';

/** A front door whose API works on each request until told to finish. */
const slowDoor = async () => {
  const done: (() => void)[] = [];
  let isStopped = false;
  const door = await openDoor(() => Promise.resolve(), {
    site: () => async (_, response) => {
      await new Promise<void>((resolve) => done.push(resolve));
      sendJson(response, 200, { made: true });
    },
  });
  const post = async (body: string, length = body.length) => {
    const visit = await door.connect();
    visit.socket.write(`POST /api/x HTTP/1.1\r\nHost: h\r\nContent-Length: ${String(length)}\r\n\r\n${body}`);
    await expect.poll(() => done.length).toBeGreaterThan(0);
    return visit;
  };
  const stop = (graceMs: number): Promise<void> => door.stop(graceMs).then(() => void (isStopped = true));
  return { post, stop, finish: () => done.forEach((resolve) => resolve()), isStopped: () => isStopped };
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Longer than the flush time after the last call. */
const LONGER_THAN_FLUSHING_MS = 700;

test('an API call under way when the server stops is finished and answered', async () => {
  const door = await slowDoor();
  const visit = await door.post('{}');
  const stopping = door.stop(60_000);
  await vi.advanceTimersByTimeAsync(LONGER_THAN_FLUSHING_MS);
  expect([door.isStopped(), visit.isClosed()]).toEqual([false, false]);
  door.finish();
  await expect.poll(visit.heard).toContain('{"made":true}');
  await vi.advanceTimersByTimeAsync(LONGER_THAN_FLUSHING_MS);
  await stopping;
});

test('work for a caller who has left is awaited as well, while the stores are open', async () => {
  const door = await slowDoor();
  const visit = await door.post('{}');
  visit.socket.destroy();
  const stopping = door.stop(60_000);
  await vi.advanceTimersByTimeAsync(LONGER_THAN_FLUSHING_MS);
  expect(door.isStopped()).toBe(false);
  door.finish();
  await expect.poll(door.isStopped).toBe(true);
  await stopping;
});

test.each([
  ['takes longer than the server may wait', '{}', 2, 1],
  ['is sent by somebody who does not end it', '{', 2, 60_000],
] as const)('a call that %s does not keep the server from stopping', async (_, body, length, graceMs) => {
  const door = await slowDoor();
  await door.post(body, length);
  const stopping = door.stop(graceMs);
  // One second for waiting, if there is any, and one for flushing.
  await vi.advanceTimersByTimeAsync(1000);
  await vi.advanceTimersByTimeAsync(1000);
  await stopping;
  expect(door.isStopped()).toBe(true);
  door.finish();
});
