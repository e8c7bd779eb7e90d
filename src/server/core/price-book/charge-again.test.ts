import { expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { priceDimensions } from '#contract/options/price-dimensions.ts';
import { priceBuckets } from '../quota/price-factors.ts';
import type { PriceSources } from '../quota/price.ts';
import { areAlike, chargerOf } from './charge-again.ts';

const sourcesOf = (dimensions: unknown): PriceSources => ({
  options: {
    ...initialOptions,
    ModelRatio: { m: 1 },
    CompletionRatio: { m: 1 },
    GroupRatio: { default: 1 },
    PriceDimensions: priceDimensions.parse(dimensions),
  },
  catalogue: { find: () => undefined },
});
const kind = { userGroup: 'default', times: 1, isSelfUse: false, service: {} };
const prompt = (tokens: number) => priceBuckets.map((bucket) => (bucket === 'inputTokens' ? tokens : 0));
const charged = (dimensions: unknown, prompts: readonly number[]) => {
  const charge = chargerOf(sourcesOf(dimensions), 'm', 'default', kind);
  return prompts.map((tokens) => charge(prompt(tokens), '', 0));
};

it('calls of one kind are charged each by the step of its own prompt, in whatever order they come', () => {
  const dimensions = { m: { context: { steps: [{ above: 1000, input: 3 }] } } };
  expect(charged(dimensions, [900, 2000, 900])).toEqual([900, 6000, 900]);
  expect(charged(dimensions, [2000, 900, 2000])).toEqual([6000, 900, 6000]);
});

it('without steps each is charged by the one price', () => {
  expect(charged({}, [900, 2000, 0])).toEqual([900, 2000, 0]);
});

it('two lists of prices are alike for a kind of call where nothing it is charged by differs', () => {
  const now = sourcesOf({});
  const isAlike = (changes: Partial<PriceSources['options']>, ofKind = kind): boolean =>
    areAlike(now, { ...now, options: { ...now.options, ...changes } }, 'm', 'default', ofKind);
  expect(isAlike({})).toBe(true);
  expect(isAlike({ ModelRatio: { m: 1, other: 5 }, GroupRatio: { default: 1, vip: 3 } })).toBe(true);
  expect(isAlike({ CompletionRatio: { m: 1.5 } })).toBe(false);
  expect(isAlike({ ModelRatio: {} })).toBe(false);
  expect(isAlike({ GroupGroupRatio: { default: { default: 2 } } })).toBe(false);
  expect(isAlike({ GroupGroupRatio: { vip: { default: 2 } } })).toBe(true);
  expect(isAlike({ QuotaPerUnit: now.options.QuotaPerUnit * 2 })).toBe(false);
  expect(
    isAlike({ PriceDimensions: sourcesOf({ m: { tiers: { priority: 2 } } }).options.PriceDimensions }),
  ).toBe(false);
  expect(isAlike({ ModelRatio: { m: 1 } }, { ...kind, isSelfUse: true })).toBe(true);
});

it('calls served at an unknown tier are each charged at the most expensive one', () => {
  const dimensions = { m: { tiers: { reader: { input: 3 }, writer: { output: 5 } } } };
  const service = { served: { tier: 'turbo' } };
  const charge = chargerOf(sourcesOf(dimensions), 'm', 'default', { ...kind, service });
  const used = (input: number, output: number) =>
    priceBuckets.map((bucket) => (bucket === 'inputTokens' ? input : bucket === 'outputTokens' ? output : 0));
  expect([charge(used(100, 10), '', 0), charge(used(10, 100), '', 0)]).toEqual([310, 510]);
});
