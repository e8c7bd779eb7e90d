import { expect, it } from 'vitest';
import { SharedClock } from './shared-clock.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = Date.parse('2026-11-30T12:00:00Z');

/** This machine's clock, which may be wrong, the time that has really passed, and how often the others are to be asked. */
const machine = (aheadMs: number) => {
  const own = { aheadMs, passedMs: 0, sleptMs: 0 };
  let times = 0;
  const clock = new SharedClock({
    now: () => NOON_MS + own.passedMs + own.sleptMs + own.aheadMs,
    monotonic: () => 77 + own.passedMs,
  });
  const follow = (tookMs = 0): number => {
    const askedMs = clock.monotonic();
    const otherMs = NOON_MS + own.passedMs + own.sleptMs + tookMs / 2;
    own.passedMs += tookMs;
    return clock.follow({ otherMs, askedMs, heardMs: clock.monotonic() });
  };
  clock.onStep(() => void (times += 1));
  return { own, clock, follow, asked: () => times };
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

it('a machine whose clock agrees keeps its own time, even after a slow answer', () => {
  const { clock, follow } = machine(900);
  expect(follow()).toBe(0);
  expect(clock.now()).toBe(NOON_MS + 900);
  expect(follow(10_000)).toBe(0);
});

it('a clock that is put right, or set wrong, changes nothing until the others are asked again, which is at once', () => {
  const { own, clock, follow, asked } = machine(HOUR_MS);
  follow();
  own.aheadMs = 0;
  expect([clock.now(), clock.now(), asked()]).toEqual([NOON_MS, NOON_MS, 1]);
  expect(follow()).toBe(0);
  own.passedMs += 5000;
  expect([clock.now(), asked()]).toEqual([NOON_MS + 5000, 1]);
  for (const [at, hours] of [2, -2].entries()) {
    own.aheadMs = hours * HOUR_MS;
    own.passedMs += 1000;
    expect([clock.now(), asked()]).toEqual([NOON_MS + 6000 + at * 1000, 2 + at]);
    follow();
    expect(clock.now()).toBe(NOON_MS + 6000 + at * 1000);
  }
});

it('a machine that has slept has the time of the others as soon as they answer', () => {
  const { own, clock, follow, asked } = machine(0);
  follow();
  own.sleptMs += HOUR_MS;
  expect([clock.now(), asked()]).toEqual([NOON_MS, 1]);
  expect(follow()).toBe(0);
  expect(clock.now()).toBe(NOON_MS + HOUR_MS);
});

it('where there are no others, the clock of the machine counts, whenever it is set', () => {
  const { own, clock, asked } = machine(0);
  own.aheadMs = -HOUR_MS;
  expect([clock.now(), asked()]).toEqual([NOON_MS - HOUR_MS, 0]);
});

it('a clock that is corrected little by little counts', () => {
  const { own, clock, follow, asked } = machine(900);
  follow();
  for (let minute = 1; minute < 10; minute += 1) {
    own.passedMs += 60_000;
    own.aheadMs -= 30;
    expect(clock.now()).toBe(NOON_MS + own.passedMs + own.aheadMs);
    follow();
  }
  expect(asked()).toBe(0);
});
