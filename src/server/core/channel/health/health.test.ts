import { describe, expect, test } from 'vitest';
import {
  afterFailure,
  afterSuccess,
  afterWhole,
  type Health,
  healthy,
  isCooling,
  isForgotten,
  isTrial,
  trialBegun,
  trialVoid,
} from './health.ts';

const failures = (count: number, nowMs: number, from: Health = healthy): Health =>
  Array.from({ length: count }).reduce<Health>((health) => afterFailure(health, nowMs), from);

describe('a channel that fails', () => {
  test('cools down after five failures within a minute, not after four', () => {
    expect(isCooling(failures(4, 1000), 1001)).toBe(false);
    expect(isCooling(failures(5, 1000), 10_999)).toBe(true);
    expect(isCooling(afterFailure(failures(4, 0), 59_999), 60_000)).toBe(true);
    // The minute is the last one, wherever it begins.
    const late = [0, 58_000, 61_000, 62_000, 63_000].reduce<Health>(
      (health, at) => afterFailure(health, at),
      healthy,
    );
    expect(isCooling(late, 63_001)).toBe(false);
    expect(isCooling(afterFailure(late, 64_000), 64_001)).toBe(true);
  });

  test('cools down after two failures more than a minute apart, with no answer in between', () => {
    const once = afterFailure(healthy, 0);
    expect(isCooling(once, 1)).toBe(false);
    expect(isCooling(afterFailure(once, 60_000), 60_001)).toBe(true);
    expect(isCooling(afterFailure(afterSuccess(once, 30_000) ?? healthy, 60_000), 60_001)).toBe(false);
    const broken = afterFailure(healthy, 0, { isBroken: true });
    const begun = afterSuccess(broken, 60_000) ?? healthy;
    expect(isCooling(afterFailure(begun, 61_000, { isBroken: true }), 61_001)).toBe(true);
    const whole = afterWhole(begun, 61_000) ?? healthy;
    expect(isCooling(afterFailure(whole, 90_000, { isBroken: true }), 90_001)).toBe(false);
  });

  test('is tried by one call when it is due; a failure of the trial cools it for twice as long', () => {
    const cooled = failures(5, 0);
    expect([isTrial(cooled, 9_999), isTrial(cooled, 10_000)]).toEqual([false, true]);
    const tried = trialBegun(cooled, 10_000);
    expect([isCooling(tried, 10_001), isTrial(tried, 10_001)]).toEqual([true, false]);
    const again = afterFailure(tried, 11_000);
    expect([isCooling(again, 30_999), isCooling(again, 31_000)]).toEqual([true, false]);
  });

  test('cools down after one failure if it answered nobody while the call waited', () => {
    expect(isCooling(afterFailure(healthy, 1000, { isEnough: true }), 10_999)).toBe(true);
  });

  test('is not cooled longer by calls that were on their way already', () => {
    const cooled = failures(5, 0);
    expect(failures(20, 5000, cooled)).toEqual(cooled);
  });

  test('is left alone for as long as it asked, at most five minutes', () => {
    expect(afterFailure(healthy, 1000, { retryAfterSeconds: 20 }).coolUntilMs).toBe(21_000);
    expect(afterFailure(healthy, 1000, { retryAfterSeconds: 86_400 }).coolUntilMs).toBe(301_000);
    // A shorter wait does not shorten the one already set.
    expect(
      afterFailure(afterFailure(healthy, 1000, { retryAfterSeconds: 60 }), 2000, { retryAfterSeconds: 1 })
        .coolUntilMs,
    ).toBe(61_000);
  });

  test('that names no time to come back is judged like any other', () => {
    expect(afterFailure(healthy, 1000, { retryAfterSeconds: 0 })).toEqual(afterFailure(healthy, 1000));
    expect(afterFailure(healthy, 1000, { retryAfterSeconds: 1 }).coolUntilMs).toBe(2000);
  });

  test('that asks for time in its trial is due again after it, in no deeper round', () => {
    const tried = trialBegun(failures(5, 0), 10_000);
    expect(afterFailure(tried, 11_000, { retryAfterSeconds: 60 })).toEqual({
      ...tried,
      row: [],
      trial: false,
      because: 'told',
      cooledAtMs: 11_000,
      coolUntilMs: 71_000,
    });
  });

  test('cools down where half of its calls fail, however they are mixed, and not where fewer do', () => {
    const half = (at: number): boolean => at % 4 < 2;
    let health: Health = healthy;
    let cooledAt = -1;
    for (let at = 0; at < 40 && cooledAt < 0; at++) {
      health = half(at) ? afterFailure(health, at * 100) : (afterSuccess(health, at * 100) ?? healthy);
      if (isCooling(health, at * 100 + 1)) cooledAt = at;
    }
    // The tenth failure: each answer among them starts the row anew, but the minute remembers.
    expect(cooledAt).toBe(17);
    const seldom = Array.from({ length: 400 }, (_, at) => at).reduce<Health>(
      (before, at) =>
        at % 3 === 0 ? afterFailure(before, at * 100) : (afterSuccess(before, at * 100) ?? healthy),
      healthy,
    );
    expect(isCooling(seldom, 39_901)).toBe(false);
    // What was on its way and succeeds does not prove that half of it fails no more.
    expect(afterSuccess(health, 2000)).toBe(health);
  });

  test('cools down where a fifth of its calls fail, if each cost its caller a wait, and not where fewer do', () => {
    const after = (every: number): Health =>
      Array.from({ length: 100 }, (_, at) => at).reduce<Health>(
        (before, at) =>
          at % every === 0
            ? afterFailure(before, at * 100, { isCostly: true })
            : (afterSuccess(before, at * 100) ?? healthy),
        healthy,
      );
    expect(after(5)).toMatchObject({ because: 'rate', isMixed: true });
    expect(after(6)).toMatchObject({ coolUntilMs: 0 });
  });

  test('of which some calls are answered is open again after twelve trials in a row, or a quarter of a minute of them', () => {
    let health: Health | undefined = healthy;
    for (let at = 0; at < 19; at++)
      health = at % 2 === 0 ? afterFailure(health ?? healthy, at) : afterSuccess(health ?? healthy, at);
    const cooled = health ?? healthy;
    expect(cooled).toMatchObject({ because: 'rate', coolUntilMs: 10_018 });
    const provenAt = (everyMs: number): number => {
      let [tried, trials, nowMs]: [Health | undefined, number, number] = [cooled, 0, 11_000];
      for (; tried !== undefined; trials += 1, nowMs += everyMs) {
        expect(isTrial(tried, nowMs)).toBe(true);
        const begun = trialBegun(tried, nowMs);
        expect(isCooling(begun, nowMs)).toBe(true);
        tried = afterSuccess(begun, nowMs);
      }
      return trials;
    };
    expect([provenAt(10), provenAt(5000)]).toEqual([12, 4]);
    // One failure among them, and it rests for twice as long.
    const third = afterFailure(
      trialBegun(afterSuccess(trialBegun(cooled, 11_000), 11_000) ?? healthy, 11_100),
      12_000,
    );
    expect(third).toMatchObject({ because: 'rate', isMixed: true, coolUntilMs: 32_000, proofs: [] });
  });

  test('cools down after five answers that broke off with no whole one in between, until one comes to its end', () => {
    const broke = (before: Health, nowMs: number): Health =>
      afterFailure(afterSuccess(before, nowMs) ?? healthy, nowMs, { isBroken: true });
    const four = [0, 1000, 2000, 3000].reduce(broke, healthy);
    expect(isCooling(four, 3001)).toBe(false);
    expect(isCooling(broke(afterWhole(four, 3500) ?? healthy, 4000), 4001)).toBe(false);
    expect(isCooling(broke(four, 60_000), 60_001)).toBe(false);
    const cooled = broke(four, 4000);
    expect([isCooling(cooled, 13_999), isTrial(cooled, 14_000)]).toEqual([true, true]);
    const tried = trialBegun(cooled, 14_000);
    // That it begins is not the result yet.
    expect(afterSuccess(tried, 14_100)).toBe(tried);
    expect(afterWhole(tried, 15_000)).toBeUndefined();
    expect(afterFailure(tried, 15_000, { isBroken: true })).toMatchObject({ coolUntilMs: 35_000 });
    // One that was on its way before proves nothing.
    expect(afterWhole(cooled, 5000)).toBe(cooled);
    expect(afterSuccess(cooled, 5000)).toBe(cooled);
  });

  test('is forgotten a minute after its last failure; successes in between count', () => {
    const failing = failures(2, 0);
    expect(afterSuccess(failing, 1000)).toMatchObject({ row: [], coolUntilMs: 0 });
    expect(afterSuccess(failing, 60_000)).toBeUndefined();
    expect([isForgotten(failing, 299_999), isForgotten(failing, 300_000)]).toEqual([false, true]);
  });

  test('is tried early where many calls go past it, but not before ten seconds nor before the time it named', () => {
    let health = failures(5, 0);
    for (const atMs of [10_000, 40_000]) health = afterFailure(trialBegun(health, atMs), atMs);
    expect(health.coolUntilMs).toBe(80_000);
    expect([isCooling(health, 49_999, 400), isTrial(health, 50_000, 400)]).toEqual([true, true]);
    expect(isTrial(health, 50_000, 399)).toBe(false);
    expect(isTrial(trialBegun(health, 50_000), 50_001, 9999)).toBe(false);
    expect(isTrial(afterFailure(healthy, 0, { retryAfterSeconds: 60 }), 59_999, 9999)).toBe(false);
  });

  test('whose trial told nothing is tried by the next call', () => {
    const tried = trialBegun(failures(5, 0), 10_000);
    expect(isTrial(trialVoid(tried, 12_000), 12_000)).toBe(true);
    expect(trialVoid(healthy, 12_000)).toBe(healthy);
  });
});
