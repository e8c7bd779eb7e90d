import { afterEach, expect, test, vi } from 'vitest';
import { AwakeClock } from './awake-clock.ts';
import { AwakeTimer } from './awake-timer.ts';

const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

afterEach(() => void vi.useRealTimers());

test('time during which this process stood still does not count as silence', () => {
  vi.useFakeTimers();
  const late = vi.fn<() => void>();
  new AwakeTimer(8000, late);
  vi.advanceTimersByTime(500);
  // Nothing ran for an hour: a timer that was due in it fires once, late.
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersToNextTimer();
  vi.advanceTimersByTime(6900);
  expect(late).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(late).toHaveBeenCalledOnce();
});

test('data that has arrived is read before a timeout is declared', async () => {
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

test('the clock advances at most two intervals at a look, and never goes back', () => {
  const clock = new AwakeClock(100, 1000);
  for (const nowMs of [1100, 1250, 9000, 8000, 8100]) clock.look(nowMs);
  expect(clock.nowMs).toBe(100 + 150 + 200 + 0 + 100);
});
