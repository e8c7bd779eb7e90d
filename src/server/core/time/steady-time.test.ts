import { expect, it } from 'vitest';
import { timeToForget } from './steady-time.ts';

const HOUR_MS = 3_600_000;

/** The time to forget in hours, when so many have passed and the clock is so many ahead. */
const looked = (times: readonly (readonly [passed: number, ahead: number])[]): number[] => {
  let [passed, ahead] = [0, 0];
  const time = timeToForget({
    now: () => Math.round((1000 + passed + ahead) * HOUR_MS),
    monotonic: () => (7 + passed) * HOUR_MS,
  });
  return times.map(([nextPassed, nextAhead]) => {
    [passed, ahead] = [nextPassed, nextAhead];
    return time() / HOUR_MS;
  });
};

it('nothing is forgotten early by a clock that is ahead for less than a day', () => {
  expect(
    looked([
      [0, 0],
      [1, 960],
      [24, 960],
      [25, 0],
      [26, 960],
      [49, 960],
    ]),
  ).toEqual([1000, 1001, 1024, 1025, 1026, 1049]);
});

it('a clock that was wrong at the start, or slept, counts after a day', () => {
  expect(
    looked([
      [1, 9000],
      [24, 9000],
      [25, 9008],
      [25, 9008],
      [48, 9008],
      [49, 9008],
    ]),
  ).toEqual([1001, 1024, 10_025, 10_025, 10_048, 10_057]);
});

it('a clock that is set back counts at once, and so does one that is corrected little by little', () => {
  const halfASecond = 0.5 / 3600;
  const hours = looked([
    [1, -960],
    [2, -960 + halfASecond],
    [3, -960 + 2 * halfASecond],
  ]);
  expect(hours.map((hour) => Math.round(hour * 3_600_000))).toEqual([
    41 * HOUR_MS,
    42 * HOUR_MS + 500,
    43 * HOUR_MS + 1000,
  ]);
});
