import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ShareWindow, ShareWindows } from './share-window.ts';

/** How many of the wished extra calls were allowed, where every call wishes `wishes` of them. */
const allowed = (window: ShareWindow, calls: number, wishes: number, stepMs = 1): number => {
  let taken = 0;
  for (let call = 0; call < calls; call += 1) {
    window.note(call * stepMs);
    for (let wish = 0; wish < wishes; wish += 1) if (window.takes(20, call * stepMs)) taken += 1;
  }
  return taken;
};

test('only a share of many calls may be retried, however often each fails', () => {
  expect(allowed(new ShareWindow(20), 500, 3)).toBe(100);
});

test('a single failing call gets its retries', () => {
  expect(allowed(new ShareWindow(20), 1, 10)).toBe(10);
});

test('as many as a window is told are allowed, at least as many as all windows are', () => {
  const windows = new ShareWindows(2);
  expect(allowed(windows.of('a', 5), 1, 10)).toBe(5);
  expect(allowed(windows.of('b', 1), 1, 10)).toBe(2);
  // Known by then: the window goes on with the new number.
  expect(windows.of('a', 6).takes(20, 1)).toBe(true);
  expect(windows.of('a', 6).takes(20, 1)).toBe(false);
});

test("one user's calls do not take the retries from others': each has a few, all together as many as always", () => {
  const window = new ShareWindow(20);
  const taken = (userId: number): number =>
    Array.from({ length: 50 }, () => window.takes(20, 0, userId)).filter(Boolean).length;
  expect([1, 1, 2, 2, 3, 4, 5, 6].map(taken)).toEqual([20, 0, 5, 0, 5, 5, 5, 0]);
});

test('who has used up everything gets no more in the next half minute, others do', () => {
  const window = new ShareWindow(20);
  const taken = (userId: number, nowMs: number): number =>
    Array.from({ length: 50 }, () => window.takes(20, nowMs, userId)).filter(Boolean).length;
  expect([taken(1, 0), taken(1, 31_000), taken(2, 31_000), taken(1, 62_000)]).toEqual([20, 0, 5, 20]);
});

test('calls of the half minute before count as well', () => {
  const window = new ShareWindow(1);
  for (let call = 0; call < 100; call += 1) window.note(call);
  const taken = Array.from({ length: 30 }, () => window.takes(20, 31_000)).filter(Boolean);
  expect(taken).toHaveLength(20);
});

test('a new minute allows the minimum again', () => {
  const window = new ShareWindow(3);
  expect(allowed(window, 1, 10)).toBe(3);
  window.note(29_000);
  expect(window.takes(20, 29_000)).toBe(false);
  expect(window.takes(20, 31_000)).toBe(false);
  expect(window.takes(20, 61_000)).toBe(true);
});

test('no minute has more than the share or the minimum', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ stepMs: fc.integer({ min: 0, max: 5000 }), wishes: fc.nat(4) }), {
        maxLength: 300,
      }),
      fc.integer({ min: 0, max: 100 }),
      (calls, percent) => {
        const window = new ShareWindow(5);
        const taken: number[] = [];
        const began: number[] = [];
        let nowMs = 0;
        for (const { stepMs, wishes } of calls) {
          nowMs += stepMs;
          window.note(nowMs);
          began.push(nowMs);
          for (let wish = 0; wish < wishes; wish += 1) if (window.takes(percent, nowMs)) taken.push(nowMs);
          const within = (times: readonly number[], ms: number) =>
            times.filter((at) => at > nowMs - ms).length;
          const most = Math.max(5, (within(began, 90_000) * percent) / 100);
          expect(within(taken, 30_000)).toBeLessThanOrEqual(most);
        }
      },
    ),
  );
});

test('one dead model does not use up the retries of another, and the memory of names is bounded', () => {
  const windows = new ShareWindows(2);
  const first = windows.of('a');
  expect([first.takes(0, 0), first.takes(0, 0), first.takes(0, 0)]).toEqual([true, true, false]);
  expect(windows.of('b').takes(0, 0)).toBe(true);
  expect(windows.of('a')).toBe(first);
  for (let name = 0; name < 6000; name += 1) windows.of(String(name));
  expect(windows.of('a')).not.toBe(first);
});
