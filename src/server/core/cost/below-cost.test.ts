import { describe, expect, it } from 'vitest';
import { channelCost } from '#contract/channel/channel-cost.ts';
import { initialOptions } from '#contract/options.ts';
import { priceOf } from '../quota/price.ts';
import { isBelowCost } from './below-cost.ts';

/** 3 USD for a million in, 15 out, 0.3 for what is read from the cache. */
const listed = { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1 };
const catalogue = { find: (model: string) => (model === 'known' ? listed : undefined) };
const rates = { CNY: [{ from: '2026-03-02', usd: 0.15 }] };
const DAY_MS = Date.UTC(2026, 2, 3);

const isBelow = (cost: unknown, ratio = 1, options: object = {}, atMs = DAY_MS): boolean => {
  const sources = { options: { ...initialOptions, GroupRatio: { g: ratio }, ...options }, catalogue };
  const price = priceOf(sources, 'known', 'g', 'g');
  const parsed = cost === undefined ? undefined : channelCost.parse(cost);
  return isBelowCost(price, parsed, { catalogue, rates }, { model: 'known', atMs });
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
    // Of a model that is not known to hear, no call uses it.
    const deaf = { PriceDimensions: { known: { ratios: { audioInput: 0, imageInput: 0 } } } };
    expect(isBelow({ factor: 1 }, 1, deaf)).toBe(false);
  });

  it('is unknown without settings, without a rate for that day, or if it is counted another way', () => {
    expect(isBelow(undefined, 0)).toBe(false);
    expect(isBelow({ currency: 'CNY', factor: 9 }, 0, {}, Date.UTC(2026, 2, 1))).toBe(false);
    expect(isBelow({ currency: 'CNY', factor: 9 }, 0)).toBe(true);
    expect(isBelow({ models: { known: { call: 1000 } } })).toBe(false);
    expect(isBelow({ factor: 1 }, 1, { ModelPrice: { known: 0.0001 } })).toBe(false);
  });

  it('counts a dollar as the units that the site gives for it, and calls by calls', () => {
    expect(isBelow({ factor: 1 }, 1, { QuotaPerUnit: 1_000_000 })).toBe(true);
    const byCall = { ModelPrice: { known: 0.5 } };
    expect(isBelow({ models: { known: { call: 0.5 } } }, 1, byCall)).toBe(false);
    expect(isBelow({ models: { known: { call: 0.500001 } } }, 1, byCall)).toBe(true);
    // However absurd a rate makes it.
    expect(isBelow({ currency: 'CNY', models: { known: { call: 1_000_000 } } }, 1, byCall)).toBe(true);
  });
});
