import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { initialOptions, optionTable } from '#contract/options.ts';
import { noUsage, type Usage } from '../chat/usage.ts';
import type { AppError } from '../error.ts';
import type { CataloguePrice } from './catalogue.ts';
import { decimal, decimalText } from './decimal.ts';
import { toolPricesOf } from './tool-prices.ts';
import { type PriceSources, priceOf, quotaOf } from './price.ts';

type Options = PriceSources['options'];

const sources = (
  options: Partial<Options> = {},
  known: Record<string, CataloguePrice> = {},
): PriceSources => ({
  options: {
    ModelRatio: {},
    CompletionRatio: {},
    ModelPrice: {},
    CacheRatio: {},
    CreateCacheRatio: {},
    'tool_price_setting.prices': {},
    PriceDimensions: {},
    GroupRatio: { default: 1 },
    GroupGroupRatio: {},
    'group_setting.former_names': {},
    SelfUseModeEnabled: false,
    QuotaPerUnit: optionTable.QuotaPerUnit.initial,
    ...options,
  },
  catalogue: { find: (model) => (Object.hasOwn(known, model) ? known[model] : undefined) },
});

const cost = (
  from: PriceSources,
  usage: Partial<Usage>,
  userGroup = 'default',
  group = 'default',
): number | undefined => quotaOf(priceOf(from, 'm', userGroup, group), { ...noUsage, ...usage });

const thrown = (run: () => unknown): AppError => {
  try {
    run();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('nothing was thrown');
};

describe('the price of a call', () => {
  test('of 0 is a price: the call is free, and no ratio counts', () => {
    const from = sources({ ModelRatio: { m: 5 }, ModelPrice: { m: 0 } });
    expect(priceOf(from, 'm', 'default', 'default').factors).toMatchObject({ modelPrice: 0, modelRatio: -1 });
    expect(cost(from, { inputTokens: 1000 })).toBe(0);
  });

  test('of the catalogue is the same dollars, however many units one is; a ratio that is set is units', () => {
    const known = { m: { modelRatio: 1.25, completionRatio: 4 } };
    for (const QuotaPerUnit of [500_000, 1_000_000, 7000]) {
      const units = cost(sources({ QuotaPerUnit }, known), { inputTokens: 600_000, outputTokens: 100_000 });
      expect((units ?? 0) / QuotaPerUnit).toBe(2.5);
      expect(cost(sources({ QuotaPerUnit, ModelRatio: { m: 2 } }, known), { inputTokens: 100 })).toBe(200);
    }
  });

  test('is tokens times ratios, output by its completion ratio', () => {
    const from = sources({
      ModelRatio: { m: 1.25 },
      CompletionRatio: { m: 4 },
      GroupRatio: { default: 0.8 },
    });
    expect(cost(from, { inputTokens: 1000, outputTokens: 500 })).toBe(3000);
  });

  test('counts every bucket once, by its own ratio', () => {
    const known = {
      m: {
        modelRatio: 1,
        completionRatio: 5,
        cacheRatio: 0.1,
        createCacheRatio: 1.25,
        imageRatio: 2,
        audioRatio: 16,
        audioCompletionRatio: 2,
        imageCompletionRatio: 30,
      },
    };
    const usage = {
      inputTokens: 100,
      cacheReadTokens: 100,
      cacheWrite5mTokens: 100,
      cacheWrite1hTokens: 100,
      imageInputTokens: 10,
      audioInputTokens: 10,
      outputTokens: 100,
      audioOutputTokens: 10,
      imageOutputTokens: 10,
    };
    expect(cost(sources({}, known), usage)).toBe(100 + 10 + 125 + 200 + 20 + 160 + 500 + 320 + 300);
  });

  test('is rounded once, half up: 0.5 becomes 1, sums of thirds do not drift', () => {
    expect(cost(sources({ ModelRatio: { m: 0.1 } }), { inputTokens: 25 })).toBe(3);
    expect(cost(sources({ ModelRatio: { m: 0.075 } }), { inputTokens: 7, outputTokens: 13 })).toBe(2);
    expect(
      cost(sources({ ModelRatio: { m: 0.1 }, CompletionRatio: { m: 3 } }), {
        inputTokens: 2,
        outputTokens: 1,
      }),
    ).toBe(1);
  });

  test('is at least 1 where it costs anything, and 0 where group or price is free', () => {
    expect(cost(sources({ ModelRatio: { m: 0.000001 } }), { inputTokens: 1 })).toBe(1);
    expect(
      cost(sources({ ModelRatio: { m: 5 }, GroupRatio: { default: 0 } }), { inputTokens: 1_000_000 }),
    ).toBe(0);
    expect(cost(sources({ ModelRatio: { m: 0 } }), { inputTokens: 1_000_000 })).toBe(0);
    expect(cost(sources({ ModelPrice: { m: 0 } }), { inputTokens: 1 })).toBe(0);
    expect(
      cost(
        sources({ ModelRatio: { m: 1 }, GroupGroupRatio: { vip: { default: 0 } } }),
        { inputTokens: 9 },
        'vip',
      ),
    ).toBe(0);
  });

  test('has each call of a tool beside it: the price of a thousand, exact, times the group', () => {
    const from = sources({
      ModelRatio: { m: 1 },
      GroupRatio: { default: 0.333 },
      'tool_price_setting.prices': { web_search: 0.07, 'web_search:n*': 99, 'web_search:m': 0.011 },
    });
    expect(cost(from, { inputTokens: 3, toolCalls: { web_search: 7, file_search: 2 } })).toBe(
      Math.round(0.333 * (3 + 7 * 5.5 + 2 * 1250)),
    );
    expect(cost(from, { toolCalls: { web_search: 0 } })).toBe(0);
    const percall = sources({
      ModelPrice: { m: 0.000002 },
      'tool_price_setting.prices': { web_search: 0.001 },
    });
    expect(cost(percall, { toolCalls: { web_search: 3 } })).toBe(Math.round(1 + 1.5));
  });

  test('of a tool is that of the longest name that fits, of makers behind a bar as well', () => {
    const prices = { 'web_search:gpt-5.4': 4, web_search: 1, 'web_search:gpt-5*': 3, 'web_search:gpt-*': 2 };
    const priced = (model: string) => toolPricesOf(prices, model).web_search;
    expect(['o3', 'gpt-4o', 'gpt-5', 'gpt-5.4', 'openai/gpt-5.4', 'gpt-5.4-pro'].map(priced)).toEqual([
      1, 2, 3, 4, 4, 3,
    ]);
    expect(toolPricesOf({}, 'gpt-4o').web_search_preview).toBe(25);
    expect(toolPricesOf({ web_search_preview: 0 }, 'gpt-4o').web_search_preview).toBe(0);
  });

  test('per call ignores tokens and wins over ratios', () => {
    const from = sources({ ModelPrice: { m: 0.04 }, ModelRatio: { m: 99 }, GroupRatio: { default: 1.5 } });
    expect(cost(from, { inputTokens: 123_456, outputTokens: 99 })).toBe(30_000);
    expect(priceOf(from, 'm', 'default', 'default').factors).toMatchObject({
      modelPrice: 0.04,
      modelRatio: -1,
    });
  });

  test('takes what the operator set before what the catalogue knows, map by map', () => {
    const known = { m: { modelRatio: 9, completionRatio: 8, cacheRatio: 0.5 } };
    const { factors } = priceOf(
      sources({ ModelRatio: { m: 2 }, CacheRatio: { m: 0.25 } }, known),
      'm',
      'default',
      'default',
    );
    expect(factors).toMatchObject({
      modelRatio: 2,
      completionRatio: 8,
      cacheRatio: 0.25,
      createCacheRatio: 1.25,
      source: 'option',
    });
  });

  test('uses the ratio between two groups before the ratio of the group', () => {
    const from = sources({
      ModelRatio: { m: 1 },
      GroupRatio: { default: 1, vip: 0.5 },
      GroupGroupRatio: { vip: { default: 0.9 } },
    });
    expect(cost(from, { inputTokens: 100 }, 'vip', 'default')).toBe(90);
    expect(cost(from, { inputTokens: 100 }, 'vip', 'vip')).toBe(50);
    expect(priceOf(from, 'm', 'vip', 'vip').factors.userGroupRatio).toBe(-1);
  });

  test('of a model nobody priced is refused, and in self-use mode 37.5', () => {
    const error = thrown(() => priceOf(sources(), 'm', 'default', 'default'));
    expect([error.status, error.reason]).toEqual([400, 'model_price_error']);
    expect(cost(sources({ SelfUseModeEnabled: true }), { inputTokens: 2 })).toBe(75);
  });

  test('of a model named like a property of every object is unknown', () => {
    expect(thrown(() => priceOf(sources(), 'constructor', '__proto__', 'toString')).reason).toBe(
      'model_price_error',
    );
  });

  test('above what a balance can hold is not a number', () => {
    expect(cost(sources({ ModelRatio: { m: 1 } }), { inputTokens: MAX_QUOTA_UNITS })).toBe(MAX_QUOTA_UNITS);
    expect(cost(sources({ ModelRatio: { m: 1 } }), { inputTokens: MAX_QUOTA_UNITS, outputTokens: 1 })).toBe(
      undefined,
    );
    expect(cost(sources({ ModelRatio: { m: 1_000_000 } }), { inputTokens: 20_000_000_000 })).toBeUndefined();
  });
});

const ratio = fc.integer({ min: 0, max: 1_000_000 }).map((thousandths) => thousandths / 1000);
const tokens = fc.integer({ min: 0, max: 200_000 });

describe('laws of prices', () => {
  test('more tokens never cost less, whatever the ratios', () => {
    fc.assert(
      fc.property(
        ratio,
        ratio,
        ratio,
        tokens,
        tokens,
        tokens,
        (model, completion, group, input, output, more) => {
          const from = sources({
            ModelRatio: { m: model },
            CompletionRatio: { m: completion },
            GroupRatio: { default: group },
          });
          const less = cost(from, { inputTokens: input, outputTokens: output });
          const greater = cost(from, { inputTokens: input, outputTokens: output + more });
          expect(greater ?? Infinity).toBeGreaterThanOrEqual(less ?? Infinity);
        },
      ),
    );
  });

  test('decimals read exactly what a number prints', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999 }),
        fc.integer({ min: 0, max: 999_999 }),
        (whole, places) => {
          const text = `${String(whole + 1)}.${String(places).padStart(6, '0')}`;
          expect(decimalText(decimal(Number(text)))).toBe(String(Number(text)));
        },
      ),
    );
    expect(decimal(1e-7)).toBe(100_000n);
    expect(decimal(1e21)).toBe(10n ** 33n);
    expect(() => decimal(-1)).toThrow(RangeError);
    expect(() => decimal(Number.NaN)).toThrow(RangeError);
  });
});

test.each([1e-320, 1e-13, 4e-13, 5e-13, 1e-12])(
  'a ratio or price of %d is not free: a call costs a unit',
  (tiny) => {
    for (const set of [
      { ModelRatio: { m: tiny } },
      { ModelPrice: { m: tiny } },
      { ModelRatio: { m: 1 }, GroupRatio: { g: tiny } },
      { ModelRatio: { m: tiny }, CompletionRatio: { m: tiny }, GroupRatio: { g: tiny } },
    ]) {
      const sources = { options: { ...initialOptions, ...set }, catalogue: { find: () => undefined } };
      expect(quotaOf(priceOf(sources, 'm', 'g', 'g'), { ...noUsage, outputTokens: 1 })).toBe(1);
    }
  },
);
