import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterAnswer,
  afterRefusal,
  enabledKey,
  isDue,
  canRecover,
  isWaiting,
  type KeyRefusal,
} from './key-state.ts';
import { type KeyState, keyStatuses } from './pool.ts';

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;

const refusalOf = (changes: Partial<KeyRefusal> = {}): KeyRefusal => ({
  verdict: 'spent',
  reason: 'no credit',
  retryAfterSeconds: undefined,
  mayDisable: true,
  isLasting: false,
  isTrial: false,
  ...changes,
});

const spent: KeyState = { status: 'spent', reason: 'no credit', untilMs: NOW + 1000, rounds: 1 };

const anyState: fc.Arbitrary<KeyState> = fc.record({
  status: fc.constantFrom(...keyStatuses),
  reason: fc.string(),
  untilMs: fc.integer({ min: -1, max: NOW * 2 }),
  rounds: fc.nat(2000),
});
const anyRefusal: fc.Arbitrary<KeyRefusal> = fc.record({
  verdict: fc.constantFrom('revoked', 'spent', 'limited', 'denied'),
  reason: fc.string({ maxLength: 2000 }),
  retryAfterSeconds: fc.option(fc.double({ min: -1e12, max: 1e15 }), { nil: undefined }),
  mayDisable: fc.boolean(),
  isLasting: fc.boolean(),
  isTrial: fc.boolean(),
});

describe('a key', () => {
  test('without money waits as long as the upstream says, but never longer than a month', () => {
    const until = (retryAfterSeconds: number | undefined) =>
      (afterRefusal(enabledKey, refusalOf({ retryAfterSeconds }), NOW)?.untilMs ?? 0) - NOW;
    expect(until(3600)).toBe(3_600_000);
    expect(until(365 * 86_400)).toBe(32 * DAY_MS);
    expect(until(-5)).toBe(600_000);
    expect(until(Number.NaN)).toBe(600_000);
    expect(until(undefined)).toBe(600_000);
    expect(until(1)).toBe(60_000);
  });

  test('waits twice as long after each trial that fails, up to a day, and is new after one that does not', () => {
    let state = enabledKey;
    const waits: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      state = afterRefusal(state, refusalOf({ isTrial: round > 0 }), NOW) ?? state;
      waits.push((state.untilMs - NOW) / 60_000);
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]);
    expect(afterAnswer(state)).toEqual(enabledKey);
  });

  test('that waits is not put off by calls that were sent before', () => {
    expect(afterRefusal(spent, refusalOf(), NOW)).toBeUndefined();
    expect(afterRefusal(spent, refusalOf({ isTrial: true }), NOW)?.rounds).toBe(2);
  });

  test('that is refused is switched off where that may be, and else waits and comes back', () => {
    expect(afterRefusal(enabledKey, refusalOf({ verdict: 'revoked' }), NOW)?.status).toBe('revoked');
    expect(afterRefusal(enabledKey, refusalOf({ verdict: 'revoked', mayDisable: false }), NOW)?.status).toBe(
      'cooling',
    );
    expect(afterRefusal(enabledKey, refusalOf({ verdict: 'denied' }), NOW)).toBeUndefined();
    expect(afterRefusal(enabledKey, refusalOf({ verdict: 'denied', isLasting: true }), NOW)?.status).toBe(
      'revoked',
    );
  });

  test('over its rate waits only where the pause is long', () => {
    const limited = (retryAfterSeconds?: number) =>
      afterRefusal(enabledKey, refusalOf({ verdict: 'limited', retryAfterSeconds }), NOW);
    expect(limited()).toBeUndefined();
    expect(limited(20)).toBeUndefined();
    expect(limited(600)).toMatchObject({ status: 'cooling', untilMs: NOW + 600_000 });
    expect(limited(1e9)).toMatchObject({ untilMs: NOW + DAY_MS });
  });

  test('is due when its time has come, whatever happens to the clock', () => {
    expect(isDue(spent, NOW + 999)).toBe(false);
    expect(isDue(spent, NOW + 1000)).toBe(true);
    // The clock was put back by a year.
    expect(isDue(spent, NOW - 365 * DAY_MS)).toBe(true);
    expect(isDue({ ...spent, status: 'off' }, NOW + 1000)).toBe(false);
  });

  test('of any state, after any refusal, waits a bounded time or is off; one that is off stays off', () => {
    fc.assert(
      fc.property(anyState, anyRefusal, (state, refusal) => {
        const after = afterRefusal(state, refusal, NOW);
        expect(after === undefined || canRecover(state)).toBe(true);
        const { status, untilMs, reason } = after ?? { status: 'revoked', untilMs: 0, reason: '' };
        expect(reason.length).toBeLessThanOrEqual(300);
        const waitMs = isWaiting({ status }) ? untilMs - NOW : 1;
        expect(Number.isSafeInteger(waitMs) && waitMs > 0 && waitMs <= 32 * DAY_MS).toBe(true);
        // So one day it is tried again.
        const isTriedAgain = isDue({ status, untilMs, reason, rounds: 0 }, untilMs);
        expect([isTriedAgain, status === 'revoked']).toContain(true);
      }),
    );
  });
});
