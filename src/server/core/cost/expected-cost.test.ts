import { describe, expect, it } from 'vitest';
import { expectedCost, expectedRest, expectedSessionCost, warmTokens } from './expected-cost.ts';
import { unitCostsOf } from './unit-costs.ts';

const costs = { perCall: 0, input: 10, cacheRead: 1, cacheWrite: 12, output: 50 };
const call = { promptTokens: 1000, outputTokens: 100 };

describe('an expected cost', () => {
  it('of one call is its prompt, its answer and what each call costs', () => {
    expect(expectedCost({ ...costs, perCall: 7 }, call)).toBe(7 + 10_000 + 5000);
  });

  it('of a session is a prompt written once and read from then on, minus the part that is warm already', () => {
    expect(expectedSessionCost(costs, call, 3, 0)).toBe(12_000 + 2 * 1000 + 3 * 5000);
    expect(expectedSessionCost(costs, call, 3, 900)).toBe(900 + 100 * 12 + 2 * 1000 + 3 * 5000);
  });

  it('expects as many calls as there were, at least four and at most a hundred', () => {
    const past = (answers: number) => ({ answers, promptTokens: 0, idleMs: 0 });
    expect([undefined, past(2), past(40), past(10_000)].map(expectedRest)).toEqual([4, 4, 40, 100]);
  });

  it('takes a prompt for cold five minutes after its last use', () => {
    const past = { answers: 1, promptTokens: 600, idleMs: 300_000 };
    expect(warmTokens(call, past)).toBe(600);
    expect(warmTokens(call, { ...past, promptTokens: Infinity })).toBe(1000);
    expect(warmTokens(call, { ...past, idleMs: 300_001 })).toBe(0);
  });

  it('is not known where one part of it is not', () => {
    const sources = { catalogue: { find: () => undefined }, rates: {} };
    const asked = { model: 'm', promptTokens: 2000, atMs: 0 };
    const own = { models: { m: { input: 2, output: 8, cache_read: 0.2 } } };
    expect(unitCostsOf(undefined, sources, asked)).toBeUndefined();
    expect(unitCostsOf({ factor: 1 }, sources, asked)).toBeUndefined();
    expect(unitCostsOf({ currency: 'EUR', ...own }, sources, asked)).toBeUndefined();
    expect(unitCostsOf(own, sources, asked)).toEqual({
      perCall: 0,
      input: 2000,
      cacheRead: 200,
      cacheWrite: 2000,
      output: 8000,
    });
    expect(unitCostsOf({ models: { m: { call: 0.01 } } }, sources, asked)).toEqual({
      perCall: 10_000_000,
      input: 0,
      cacheRead: 0,
      cacheWrite: 0,
      output: 0,
    });
  });
});
