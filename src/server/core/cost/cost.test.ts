import { describe, expect, it } from 'vitest';
import { priceDimensions } from '#contract/options/price-dimensions.ts';
import { channelCost, type ChannelCost, currencyRates } from '#contract/channel/channel-cost.ts';
import { noUsage } from '../chat/usage.ts';
import type { Bought } from './bought.ts';
import { costOf } from './cost.ts';

const catalogue = {
  find: (model: string) =>
    // 3 USD for a million in, 15 out, 0.3 for what is read from the cache.
    model === 'known'
      ? { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1 }
      : model === 'stepped'
        ? { modelRatio: 1.5, completionRatio: 5, dimensions }
        : undefined,
};
const dimensions = priceDimensions.parse({
  stepped: {
    context: { steps: [{ above: 272_000, input: 2, output: 1.5 }] },
    tiers: { priority: { input: 2, output: 3, longContext: 'step' }, flex: 0.5 },
    speeds: { fast: 6 },
    places: { us: 1.1 },
    hours: [{ zone: 'Asia/Shanghai', from: '22:00', to: '08:00', factor: 0.5 }],
  },
})['stepped'];
const rates = {
  CNY: [
    { from: '2026-03-02', usd: 0.15 },
    { from: '2026-02-01', usd: 0.14 },
  ],
};
const use = (changes: Partial<Bought> = {}): Bought => ({
  model: 'known',
  usage: { ...noUsage, inputTokens: 1_000_000, outputTokens: 100_000 },
  service: {},
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

  it('follows the list, also where the settings of the channel stay', () => {
    const cost = channelCost.parse({ factor: 1 });
    const dearer = { find: () => ({ modelRatio: 3, completionRatio: 5 }) };
    expect(costOf(cost, { catalogue, rates }, use())).toBe(4_500_000_000);
    expect(costOf(cost, { catalogue: dearer, rates }, use())).toBe(9_000_000_000);
    expect(costOf(cost, { catalogue, rates }, use())).toBe(4_500_000_000);
  });

  const tokens = (inputTokens: number, outputTokens = 1000) => ({ ...noUsage, inputTokens, outputTokens });
  const sent = (tier: string) => ({ sent: { tier } });
  const served = (tier: string) => ({ sent: { tier: 'priority' }, served: { tier } });
  /** 3000 billionths a token in, 15,000 out, times 0.8. */
  it.each<[string, Partial<Bought>, number]>([
    ['a prompt before the step', { usage: tokens(272_000) }, 652_800_000 + 12_000_000],
    ['a long prompt', { usage: tokens(272_001) }, 1_305_604_800 + 18_000_000],
    ['the priority tier', { usage: tokens(1000), service: served('priority') }, 4_800_000 + 36_000_000],
    [
      'priority of a long prompt, which is served at the standard tier',
      { usage: tokens(272_001), service: served('priority') },
      1_305_604_800 + 18_000_000,
    ],
    ['priority that was not served', { usage: tokens(1000), service: served('standard') }, 14_400_000],
    ['priority, nothing told', { usage: tokens(1000), service: sent('priority') }, 40_800_000],
    ['flex, nothing told', { usage: tokens(1000), service: sent('flex') }, 14_400_000],
    ['flex of one token, nothing told', { usage: tokens(1, 0), service: sent('flex') }, 2400],
    ['flex, served', { usage: tokens(1000), service: { served: { tier: 'flex' } } }, 7_200_000],
    [
      'a fast answer of a place',
      { usage: tokens(1000), service: { served: { speed: 'fast', place: 'us' } } },
      95_040_000,
    ],
    ['an hour of the night', { usage: tokens(1000), atMs: Date.UTC(2026, 2, 1, 14) }, 7_200_000],
  ])('is the list price of what was served: %s', (_, changes, expected) => {
    expect(nano({ factor: 0.8 }, { model: 'stepped', ...noon, ...changes })).toBe(expected);
  });

  const noon = { atMs: Date.UTC(2026, 2, 1, 4) };
  it.each<[string, Partial<Bought>, number]>([
    ['a prompt before the step', { usage: tokens(272_000) }, 816_000_000 + 30_000_000],
    ['a long prompt', { usage: tokens(272_001) }, 1_632_006_000 + 45_000_000],
    ['a tier', { usage: tokens(1000), service: served('priority') }, 6_000_000 + 90_000_000],
    ['a tier of which nothing was told', { usage: tokens(1000), service: sent('flex') }, 33_000_000],
    [
      'speed, place and night',
      {
        usage: tokens(1000),
        service: { served: { speed: 'fast', place: 'us' } },
        atMs: Date.UTC(2026, 2, 1, 14),
      },
      108_900_000,
    ],
  ])('by an own table with dimensions is what they make of it: %s', (_, changes, expected) => {
    const models = { own: { input: 3, output: 30, dimensions } };
    expect(nano({ factor: 9, models }, { model: 'own', ...noon, ...changes })).toBe(expected);
  });

  it('by the call depends on seconds and resolution where the table says so', () => {
    const media = { seconds: { usual: 8 }, resolutions: { '720p': 1, '1080p': 2.5 } };
    const models = { film: { call: 0.1, dimensions: { media, tiers: { fast: 2 } } } };
    const film = (body: Record<string, unknown>, changes: Partial<Bought> = {}) =>
      nano({ currency: 'USD', models }, { model: 'film', usage: noUsage, body, ...changes });
    expect(film({ seconds: 10, size: '1920x1080' })).toBe(2_500_000_000);
    expect(film({ seconds: '4', resolution: '720p' }, { times: 2 })).toBe(800_000_000);
    expect(film({}, { service: served('fast') })).toBe(4_000_000_000);
    // Nobody knows how long that is, and a call that is over is settled all the same.
    expect(film({ seconds: 'many' })).toBeUndefined();
  });

  it('counts cached sound and pictures at their own price, which may be less than that of cached words', () => {
    const cached = { cacheReadTokens: 1000, audioCacheReadTokens: 400, imageCacheReadTokens: 100 };
    const of = (own: object) =>
      nano({ models: { known: { input: 3, output: 15, ...own } } }, { usage: { ...noUsage, ...cached } });
    expect(of({ cache_read: 0.3 })).toBe(300_000);
    expect(of({ cache_read: 0.3, audio_cache_read: 2.5, image_cache_read: 0.2 })).toBe(
      150_000 + 1_000_000 + 20_000,
    );
    expect(of({ audio_cache_read: 1 })).toBe(1_800_000 + 400_000);
  });

  it('counts tools as the table says, in its currency, by whatever way the tokens are paid', () => {
    const usage = { ...noUsage, inputTokens: 1000, toolCalls: { web_search: 3, file_search: 1 } };
    const tools = { web_search: 20 };
    expect(nano({ factor: 0.5, tools }, { usage })).toBe(1_500_000 + 60_000_000 + 1_250_000);
    const models = { known: { input: 1, output: 1 } };
    const yuan = { currency: 'CNY', models, tools: { ...tools, file_search: 0 } };
    expect(nano(yuan, { usage })).toBe((1_000_000 + 60_000_000) * 0.14);
    expect(nano({ models: { known: { call: 0.01 } }, tools }, { usage })).toBe(
      10_000_000 + 60_000_000 + 2_500_000,
    );
  });

  it('by an own table is the same at any length, tier and hour', () => {
    const models = { stepped: { input: 3, output: 15 } };
    const bought = { model: 'stepped', usage: tokens(272_001), service: served('priority') };
    expect(nano({ factor: 0.8, models }, bought)).toBe(816_003_000 + 15_000_000);
  });

  it('comes from the operator’s table if it names the model; a missing cache price is that of input', () => {
    const models = { known: { input: 2, output: 8, cache_read: 0.5 } };
    expect(nano({ factor: 1, models })).toBe(2_800_000_000);
    const usage = { ...noUsage, cacheReadTokens: 1_000_000, cacheWrite5mTokens: 10, cacheWrite1hTokens: 10 };
    expect(nano({ models }, { usage })).toBe(500_040_000);
    expect(nano({ models: { known: { call: 0.04 } } }, { times: 3 })).toBe(120_000_000);
  });

  it('is a hundred thousand dollars at most: sums of it can be added up, and it is known to be a loss', () => {
    const most = 100_000_000_000_000;
    const call = (usd: number, times = 1) => nano({ models: { known: { call: usd } } }, { times });
    expect(call(99_999.999_999_999)).toBe(most - 1);
    expect(call(100_000)).toBe(most);
    expect(call(1_000_000, 1000)).toBe(most);
    const usage = { ...noUsage, inputTokens: 100_000_000 };
    expect(nano({ models: { known: { input: 1_000_000, output: 0 } } }, { usage })).toBe(most);
    const hour = most * 90_000;
    expect(hour).toBeLessThan(2 ** 63);
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
    const tiny = { EUR: [{ from: '2020-01-01', usd: 1e-13 }] };
    expect(costOf({ currency: 'EUR', factor: 1 }, { catalogue, rates: tiny }, use())).toBeUndefined();
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
    const models = { known: { input: 1, output: 1 } };
    expect(nano({ models }, { usage })).toBe(30_000_000);
    // List prices are in dollars: only a factor says what is paid for one in another currency.
    expect(nano({ currency: 'CNY', models }, { usage })).toBe(30_000_000);
    expect(nano({ currency: 'CNY', factor: 0.5, models }, { usage })).toBe(2_100_000);
    const both = { usage: { ...usage, inputTokens: 1000 } };
    expect(nano({ currency: 'CNY', models }, both)).toBe(30_000_000 + 140_000);
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
