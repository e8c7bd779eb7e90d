import { expect, test } from 'vitest';
import { AwakeClock } from './awake-clock.ts';
import { AwakeTimer } from './awake-timer.ts';

const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

test('the time this process stood still is nobody’s silence', async () => {
  let lateAfterMs: number | undefined;
  await new Promise<void>((resolve) => {
    let wokeMs = 0;
    new AwakeTimer(400, () => {
      lateAfterMs = performance.now() - wokeMs;
      resolve();
    });
    standStill(1000);
    wokeMs = performance.now();
    // The loop is kept alive: the timer does not do so.
    setTimeout(() => undefined, 2000);
  });
  expect(lateAfterMs).toBeGreaterThan(300);
});

test('what has come is read before anybody is called late', async () => {
  const { port1, port2 } = new MessageChannel();
  let isLate = false;
  await new Promise<void>((resolve) => {
    const timer = new AwakeTimer(20, () => {
      isLate = true;
      resolve();
    });
    port1.onmessage = () => {
      timer.stop();
      resolve();
    };
    port2.postMessage('here');
    standStill(100);
  });
  port1.close();
  expect(isLate).toBe(false);
});

test('a clock goes on by at most two of its looks, and never back', () => {
  const clock = new AwakeClock(100, 1000);
  for (const nowMs of [1100, 1250, 9000, 8000, 8100]) clock.look(nowMs);
  expect(clock.nowMs).toBe(100 + 150 + 200 + 0 + 100);
});
