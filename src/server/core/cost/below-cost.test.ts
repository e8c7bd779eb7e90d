import { describe, expect, it } from 'vitest';
import { channelCost } from '#contract/channel/channel-cost.ts';
import { modelDimensions } from '#contract/options/price-dimensions.ts';
import { initialOptions } from '#contract/options.ts';
import { priceOf } from '../quota/price.ts';
import { isBelowCost, kindOfCall, type Wanted } from './below-cost.ts';

/** 3 USD for a million in, 15 out, 0.3 for what is read from the cache. */
const listed = { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1 };
const catalogue = { find: (model: string) => (model === 'known' ? listed : undefined) };
const rates = { CNY: [{ from: '2026-03-02', usd: 0.15 }] };
const DAY_MS = Date.UTC(2026, 2, 3);

const sale = { model: 'known', atMs: DAY_MS };

const isBelow = (cost: unknown, ratio = 1, options: object = {}, wanted: Partial<Wanted> = {}): boolean => {
  const sources = { options: { ...initialOptions, GroupRatio: { g: ratio }, ...options }, catalogue };
  const price = priceOf(sources, 'known', 'g', 'g');
  const parsed = cost === undefined ? undefined : channelCost.parse(cost);
  return isBelowCost(price, parsed, { catalogue, rates }, { ...sale, ...wanted });
};

describe('selling below cost', () => {
  it('is a price below what the channel is paid, but not an equal one', () => {
    expect(isBelow({ factor: 1 })).toBe(false);
    expect(isBelow({ factor: 1 }, 0.99)).toBe(true);
    expect(isBelow({ factor: 0.123456789 }, 0.123456789)).toBe(false);
    expect(isBelow({ factor: 0 }, 0)).toBe(false);
    expect(isBelow({ factor: 1 }, 0)).toBe(true);
  });

  it('is judged part by part: an input above cost does not make up for an output or a cache below it', () => {
    expect(isBelow({ models: { known: { input: 1, output: 15, cache_read: 0.3 } } })).toBe(false);
    expect(isBelow({ models: { known: { input: 1, output: 16, cache_read: 0.3 } } })).toBe(true);
    // Its upstream gives nothing off for what it has cached.
    expect(isBelow({ models: { known: { input: 1, output: 1 } } })).toBe(true);
  });

  it('is one of pictures, sound and cache writes, of models that are known to have them', () => {
    const own = { input: 3, output: 15, cache_read: 0.3 };
    for (const [dear, listedAs] of [
      ['audio_input', 3],
      ['audio_output', 15],
      ['image_input', 3],
      ['image_output', 15],
      ['cache_write', 3.75],
      ['cache_write_1h', 6],
    ] as const) {
      expect(isBelow({ models: { known: { ...own, [dear]: listedAs } } }), dear).toBe(false);
      expect(isBelow({ models: { known: { ...own, [dear]: listedAs * 1.01 } } }), dear).toBe(true);
    }
    // What costs a multiple of the input by the list, and is sold as the operator's cheaper ratio.
    const heard = { find: () => ({ ...listed, audioRatio: 8, audioCompletionRatio: 2 }) };
    const sold = (ratios: object): boolean => {
      const options = { ...initialOptions, PriceDimensions: { known: { ratios } } };
      const price = priceOf({ options, catalogue: heard }, 'known', 'g', 'g');
      const sources = { catalogue: heard, rates };
      return isBelowCost(price, channelCost.parse({ factor: 1 }), sources, { model: 'known', atMs: DAY_MS });
    };
    expect(sold({})).toBe(false);
    expect(sold({ audioInput: 7 })).toBe(true);
    expect(sold({ audioOutput: 1.9 })).toBe(true);
    // What a maker asks for cached sound and pictures beyond other cached tokens, and the operator does not.
    const cached = { find: () => ({ ...listed, audioCacheSurcharge: 0.5 }) };
    const plain = priceOf(
      { options: { ...initialOptions, ModelRatio: { own: 1.5 } }, catalogue },
      'own',
      'g',
      'g',
    );
    expect(isBelowCost(plain, channelCost.parse({ factor: 1 }), { catalogue: cached, rates }, sale)).toBe(
      true,
    );
    for (const kind of ['audio_cache_read', 'image_cache_read'])
      for (const [dear, expected] of [
        [0.3, false],
        [0.31, true],
      ] as const)
        expect(isBelow({ models: { known: { ...own, [kind]: dear } } }), kind).toBe(expected);
    // Of a model that is not known to hear, no call uses it.
    const deaf = { PriceDimensions: { known: { ratios: { audioInput: 0, imageInput: 0 } } } };
    expect(isBelow({ factor: 1 }, 1, deaf)).toBe(false);
  });

  const steps = [{ above: 200_000, input: 2, output: 1.5 }];
  const sold = modelDimensions.parse({
    context: { steps },
    tiers: { priority: 2 },
    speeds: { fast: 2 },
    places: { us: 1.1 },
  });
  it.each<[string, Partial<Wanted>, object]>([
    ['a tier', { terms: [{ tier: 'priority' }] }, { tiers: { priority: 2.01 } }],
    ['a tier that the price does not name', { terms: [{ tier: 'turbo' }] }, { tiers: { turbo: 3 } }],
    ['a tier that nobody names', { terms: [{ tier: 'x' }] }, { tiers: { turbo: 3 } }],
    ['a speed', { terms: [{ speed: 'fast' }] }, { speeds: { fast: { output: 3 } } }],
    ['a place', { terms: [{}, { place: 'us' }] }, { places: { us: 1.2 } }],
    [
      'a long prompt',
      { promptMost: 200_001 },
      { context: { steps: [{ above: 200_000, input: 2.1, output: 1.5 }] } },
    ],
    [
      'the answer to one',
      { promptMost: 300_000 },
      { context: { steps: [{ above: 200_000, input: 2, output: 1.6 }] } },
    ],
    ['an earlier step', { promptMost: 199_999 }, { context: { steps: [{ above: 100_000, input: 1.1 }] } }],
    [
      'tokens beyond a step',
      { promptMost: 200_009 },
      {
        context: { charges: 'excess', steps: [{ above: 200_000, input: 2.2 }] },
      },
    ],
    [
      'an hour',
      { atMs: Date.UTC(2026, 2, 3, 9, 1) },
      {
        hours: [{ zone: 'UTC', from: '09:01', to: '09:02', factor: 1.5 }],
      },
    ],
  ])('is one of what a call asks for or reaches, and only of that: %s', (_, wanted, dimensions) => {
    const options = { PriceDimensions: { known: sold } };
    const cost = { models: { known: { input: 3, output: 15, cache_read: 0.3, dimensions } } };
    expect(isBelow(cost, 1, options, wanted)).toBe(true);
    expect(isBelow(cost, 3, options, wanted)).toBe(false);
    expect(isBelow(cost, 1, options)).toBe(false);
  });

  it('is one of a tool that the call offers, whether tokens or calls are paid', () => {
    const free = { 'tool_price_setting.prices': { web_search: 0 } };
    const tools = ['web_search' as const];
    expect(isBelow({ factor: 1 }, 1, free)).toBe(false);
    expect(isBelow({ factor: 1 }, 1, free, { tools })).toBe(true);
    expect(isBelow({ factor: 1 }, 1, {}, { tools })).toBe(false);
    expect(isBelow({ factor: 1, tools: { web_search: 10.1 } }, 1, {}, { tools })).toBe(true);
    const byCall = { ...free, ModelPrice: { known: 0.5 } };
    expect(isBelow({ models: { known: { call: 0.1 } } }, 1, byCall, { tools })).toBe(true);
  });

  it('is one of seconds and resolutions that are asked for', () => {
    const film = (resolutions: object) => ({ media: { seconds: { usual: 8 }, resolutions } });
    const options = {
      ModelPrice: { known: 0.1 },
      PriceDimensions: { known: film({ '720p': 1, '1080p': 2 }) },
    };
    const cost = { models: { known: { call: 0.1, dimensions: film({ '720p': 1, '1080p': 2.5 }) } } };
    expect(isBelow(cost, 1, options, { body: { seconds: 10, size: '720p' } })).toBe(false);
    expect(isBelow(cost, 1, options, { body: { seconds: 10, size: '1080p' } })).toBe(true);
    // A price per call, where the upstream asks for every second.
    expect(isBelow(cost, 1, { ModelPrice: { known: 1 } }, { body: { seconds: 20, size: '720p' } })).toBe(
      true,
    );
    expect(isBelow(cost, 1, { ModelPrice: { known: 1 } }, { body: { seconds: 5, size: '720p' } })).toBe(
      false,
    );
  });

  it('is judged once for calls that ask for the same, whatever words their callers invent', () => {
    const price = priceOf(
      { options: { ...initialOptions, PriceDimensions: { known: sold } }, catalogue },
      'known',
      'g',
      'g',
    );
    const kind = (wanted: Partial<Wanted>) =>
      kindOfCall(price, channelCost.parse({ factor: 1 }), { catalogue, rates }, { ...sale, ...wanted });
    const invented = (tier: string) => kind({ terms: [{ tier }], promptMost: 5, atMs: 7 });
    expect(new Set([invented('a'), invented('b'), invented('c')]).size).toBe(1);
    expect(new Set([kind({}), kind({ promptMost: 200_000 }), kind({ atMs: 1 })]).size).toBe(1);
    const others = [
      {},
      { promptMost: 200_001 },
      { terms: [{ tier: 'priority' }] },
      { tools: ['web_search' as const] },
    ];
    expect(new Set([...others.map(kind), invented('a')]).size).toBe(5);
  });

  it('is unknown without settings, without a rate for that day, or if it is counted another way', () => {
    expect(isBelow(undefined, 0)).toBe(false);
    expect(isBelow({ currency: 'CNY', factor: 9 }, 0, {}, { atMs: Date.UTC(2026, 2, 1) })).toBe(false);
    expect(isBelow({ currency: 'CNY', factor: 9 }, 0)).toBe(true);
    expect(isBelow({ models: { known: { call: 1000 } } })).toBe(false);
    expect(isBelow({ factor: 1 }, 1, { ModelPrice: { known: 0.0001 } })).toBe(false);
  });

  it('counts a dollar as the units that the site gives for it, and calls by calls', () => {
    // A list price is in dollars, a ratio that is set in units.
    const dearUnits = { QuotaPerUnit: 1_000_000 };
    expect(isBelow({ factor: 1 }, 1, dearUnits)).toBe(false);
    expect(isBelow({ factor: 1 }, 1, { ...dearUnits, ModelRatio: { known: 1.5 } })).toBe(true);
    const byCall = { ModelPrice: { known: 0.5 } };
    expect(isBelow({ models: { known: { call: 0.5 } } }, 1, byCall)).toBe(false);
    expect(isBelow({ models: { known: { call: 0.500001 } } }, 1, byCall)).toBe(true);
    // However absurd a rate makes it.
    expect(isBelow({ currency: 'CNY', models: { known: { call: 1_000_000 } } }, 1, byCall)).toBe(true);
  });
});
