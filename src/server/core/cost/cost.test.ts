import { describe, expect, it } from 'vitest';
import { channelCost, type ChannelCost, currencyRates } from '#contract/channel-cost.ts';
import { noUsage } from '../chat/usage.ts';
import { type Bought, costOf } from './cost.ts';

const catalogue = {
  find: (model: string) =>
    // 3 USD for a million in, 15 out, 0.3 for what is read from the cache.
    model === 'known' ? { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1 } : undefined,
};
const rates = {
  CNY: [
    { from: '2026-03-02', usd: 0.15 },
    { from: '2026-02-01', usd: 0.14 },
  ],
};
const use = (changes: Partial<Bought> = {}): Bought => ({
  model: 'known',
  usage: { ...noUsage, inputTokens: 1_000_000, outputTokens: 100_000 },
  times: 1,
  atMs: Date.UTC(2026, 2, 1),
  ...changes,
});
const nano = (cost: ChannelCost | undefined, changes: Partial<Bought> = {}): number | undefined =>
  costOf(cost && channelCost.parse(cost), { catalogue, rates }, use(changes));

describe('what a call costs the operator', () => {
  it('is its list price times what is paid for a listed dollar', () => {
    expect(nano({ factor: 1 })).toBe(4_500_000_000);
    expect(nano({ factor: 0.35 })).toBe(1_575_000_000);
  });

  it('is what the own table says, where it names the model, and a missing cache price is that of input', () => {
    const models = { known: { input: 2, output: 8, cache_read: 0.5 } };
    expect(nano({ factor: 1, models })).toBe(2_800_000_000);
    const usage = { ...noUsage, cacheReadTokens: 1_000_000, cacheWrite5mTokens: 10, cacheWrite1hTokens: 10 };
    expect(nano({ models }, { usage })).toBe(500_040_000);
    expect(nano({ models: { known: { call: 0.04 } } }, { times: 3 })).toBe(120_000_000);
  });

  it('is not known without settings, without a list price, or for what the table has no price of', () => {
    expect(nano(undefined)).toBeUndefined();
    expect(nano({})).toBeUndefined();
    expect(nano({ factor: 1 }, { model: 'unheard of' })).toBeUndefined();
    expect(nano({ factor: 1 }, { model: 'constructor' })).toBeUndefined();
    expect(nano({ models: {} }, { model: 'toString' })).toBeUndefined();
    const usage = { ...noUsage, audioOutputTokens: 1 };
    expect(nano({ models: { known: { input: 1, output: 1 } } }, { usage })).toBeUndefined();
  });

  it('is 0 where it is 0 on purpose, which is not the same as unknown', () => {
    expect(nano({ factor: 0 })).toBe(0);
    expect(nano({ models: { free: { input: 0, output: 0 } } }, { model: 'free' })).toBe(0);
    expect(nano({ factor: 1 }, { usage: noUsage })).toBe(0);
  });

  it('takes the rate of the day of the call, else the last before it, else is not known', () => {
    const on = (month: number, day: number) =>
      nano({ currency: 'CNY', factor: 1 }, { atMs: Date.UTC(2026, month - 1, day, 23, 59, 59, 999) });
    expect(on(3, 2)).toBe(675_000_000);
    expect(on(3, 1)).toBe(630_000_000);
    expect(on(12, 31)).toBe(675_000_000);
    expect(on(2, 1)).toBe(630_000_000);
    expect(on(1, 31)).toBeUndefined();
    expect(nano({ currency: 'EUR', factor: 1 })).toBeUndefined();
    expect(nano({ currency: 'USD', factor: 1 })).toBe(4_500_000_000);
  });

  it('is rounded once, half up, so that a sum is off by at most half a billionth of a dollar a call', () => {
    const cost = { models: { known: { input: 0.0005, output: 0 } } };
    const of = (inputTokens: number) => nano(cost, { usage: { ...noUsage, inputTokens } });
    expect([of(0), of(1), of(2), of(3)]).toEqual([0, 1, 1, 2]);
    expect(of(1_000_000)).toBe(500_000);
  });

  it('counts the tools that an upstream runs itself, at their list price', () => {
    const usage = { ...noUsage, toolCalls: { web_search: 3 } };
    expect(nano({ factor: 0.5 }, { usage })).toBe(15_000_000);
    expect(nano({ models: { known: { input: 1, output: 1 } } }, { usage })).toBe(30_000_000);
  });

  it('is not known where it is more than can be kept exactly', () => {
    const usage = { ...noUsage, inputTokens: 100_000_000 };
    expect(nano({ models: { known: { input: 1_000_000, output: 0 } } }, { usage })).toBeUndefined();
  });
});

describe('cost settings', () => {
  it('are refused with unknown fields, negative or endless amounts, and prices of two kinds', () => {
    const bad: unknown[] = [
      { facto: 1 },
      { factor: -1 },
      { factor: 1001 },
      { factor: Number.NaN },
      { factor: '1' },
      { currency: 'usd' },
      { models: { a: { input: 1 } } },
      { models: { a: { input: 1, output: 1, call: 1 } } },
      { models: { a: { call: 1_000_001 } } },
      { models: { '': { call: 1 } } },
      {
        models: Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`m${String(at)}`, { call: 1 }])),
      },
    ];
    for (const value of bad) expect(channelCost.safeParse(value).success, JSON.stringify(value)).toBe(false);
    for (const value of [
      { CNY: [{ from: '2026-02-30', usd: 1 }] },
      { CNY: [{ from: '2026-02-01', usd: 0 }] },
    ])
      expect(currencyRates.safeParse(value).success, JSON.stringify(value)).toBe(false);
  });
});
