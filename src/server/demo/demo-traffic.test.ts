import { expect, it } from 'vitest';
import { completionTokens, promptTokens } from '#core/chat/usage.ts';
import { demoModels, demoTraffic } from './demo-traffic.ts';

/** Dice that fall the same each time. */
const fixedDice = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
};

const now = Date.UTC(2026, 10, 20, 12);

it('the demo has a week of a few thousand calls, each with something used, none in the future', () => {
  const calls = demoTraffic(now, 3, fixedDice(7));
  expect(calls.length).toBeGreaterThan(1500);
  expect(calls.length).toBeLessThan(4000);
  expect(calls.every(({ atMs }) => atMs < now && atMs >= now - 7 * 86_400_000 - 3_600_000)).toBe(true);
  expect(calls.every(({ usage }) => promptTokens(usage) > 0 && usage.inputTokens >= 0)).toBe(true);
  expect(new Set(calls.map(({ model }) => model))).toEqual(new Set(demoModels));
  expect(calls.some(({ usage }) => usage.cacheReadTokens > 0 && completionTokens(usage) > 0)).toBe(true);
  expect(new Set(calls.map(({ tokenIndex }) => tokenIndex))).toEqual(new Set([0, 1, 2]));
  expect(new Set(calls.map(({ outcome }) => outcome))).toEqual(new Set(['answered', 'retried', 'failed']));
});

it('the same dice make the same week', () => {
  expect(demoTraffic(now, 3, fixedDice(7))).toEqual(demoTraffic(now, 3, fixedDice(7)));
});
