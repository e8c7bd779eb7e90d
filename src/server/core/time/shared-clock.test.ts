import { expect, it } from 'vitest';
import { SharedClock } from './shared-clock.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = Date.parse('2026-11-30T12:00:00Z');

/** This machine's clock, which may be wrong, and the time that has really passed. */
const machine = (aheadMs: number) => {
  const own = { aheadMs, passedMs: 0 };
  const clock = new SharedClock({
    now: () => NOON_MS + own.passedMs + own.aheadMs,
    monotonic: () => 77 + own.passedMs,
  });
  const follow = (tookMs = 0): number => {
    const askedMs = clock.monotonic();
    const otherMs = NOON_MS + own.passedMs + tookMs / 2;
    own.passedMs += tookMs;
    return clock.follow({ otherMs, askedMs, heardMs: clock.monotonic() });
  };
  return { own, clock, follow };
};

it.each([1, -1, 24, -24 * 365])(
  'a machine whose clock is %i hours ahead shows the time of the others',
  (hours) => {
    const { own, clock, follow } = machine(hours * HOUR_MS);
    expect(follow(40)).toBe(hours * HOUR_MS);
    expect(clock.now()).toBe(NOON_MS + 40);
    own.passedMs += HOUR_MS;
    expect(clock.now()).toBe(NOON_MS + 40 + HOUR_MS);
  },
);

it('a machine whose clock agrees goes by it, also where the answer was slow', () => {
  const { clock, follow } = machine(900);
  expect(follow()).toBe(0);
  expect(clock.now()).toBe(NOON_MS + 900);
  expect(follow(10_000)).toBe(0);
});

it('a clock that is put right, or put forward meanwhile, changes nothing until the others are asked again', () => {
  const { own, clock, follow } = machine(HOUR_MS);
  follow();
  own.aheadMs = 0;
  expect(clock.now()).toBe(NOON_MS);
  expect(follow()).toBe(0);
  own.passedMs += 5000;
  expect(clock.now()).toBe(NOON_MS + 5000);
});
