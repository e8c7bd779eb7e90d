import { describe, expect, it } from 'vitest';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import { buildRouting } from '#core/channel/testing/build-routing.ts';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import { Secret } from '#core/secrets/secret.ts';
import { createPriceSync } from './price-sync.ts';

/** What a list at an address may change without somebody who chooses it, beyond what each of its numbers says by itself. */

const set: Partial<OptionValues> = {
  ModelRatio: { both: 1, bare: 1 },
  CompletionRatio: { both: 2 },
  CacheRatio: { both: 0.1 },
};

const compared = (list: object, options: Partial<OptionValues> = set, there?: number) => {
  const routing = buildRouting({
    version: 1,
    priceVersion: 1,
    options: { ...initialOptions, ...options },
    catalogue: { find: () => undefined },
    rows: [channelRowOf(1, { models: 'both,bare,fresh', groups: 'default' })],
    openKey: () => new Secret('k'),
  });
  const pieces = async function* () {
    yield Buffer.from(JSON.stringify(list));
  };
  const body = Object.assign(pieces(), { discard: () => {}, isAllHere: () => true });
  const sync = createPriceSync({
    routing: () => routing,
    strangers: { send: async () => ({ status: 200, headers: {}, body }) },
    checkUrl: () => {},
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  return sync.compare('https://prices.example/list.json', there);
};
const heldIn = async (list: object, options?: Partial<OptionValues>) =>
  (await compared(list, options)).rows.map(({ option, key, held }) => `${key} ${option}: ${held}`);

describe('what a part of the price costs then, and not the size of each ratio, decides what is taken unseen', () => {
  it.each([
    ['dearer', 3, 6],
    ['cheaper', 0.34, 0.7],
  ])('two ratios that each are within bounds make output far %s', async (_, ratio, completion) => {
    expect(await heldIn({ model_ratio: { both: ratio }, completion_ratio: { both: completion } })).toEqual([
      'both ModelRatio: far',
      'both CompletionRatio: far',
    ]);
  });

  it('a dearer input and as much cheaper a share for output change little', async () => {
    expect(await heldIn({ model_ratio: { both: 2 }, completion_ratio: { both: 1 } })).toEqual([
      'both ModelRatio: none',
      'both CompletionRatio: none',
    ]);
    expect(await heldIn({ model_ratio: { both: 3 } })).toEqual(['both ModelRatio: none']);
  });

  it('what is not set is compared to what counts without it', async () => {
    expect(await heldIn({ completion_ratio: { bare: 3.5 } })).toEqual(['bare CompletionRatio: far']);
    expect(await heldIn({ cache_ratio: { bare: 0.1 } })).toEqual(['bare CacheRatio: far']);
    expect(await heldIn({ create_cache_ratio: { bare: 4 } })).toEqual(['bare CreateCacheRatio: far']);
    expect(await heldIn({ completion_ratio: { bare: 3 } })).toEqual(['bare CompletionRatio: none']);
  });

  it('a model without any price is compared to what is sold', async () => {
    expect(
      await heldIn({
        model_ratio: { fresh: 10 },
        completion_ratio: { fresh: 8 },
        cache_ratio: { fresh: 0.1 },
      }),
    ).toEqual(['fresh ModelRatio: none', 'fresh CompletionRatio: none', 'fresh CacheRatio: none']);
    expect(await heldIn({ model_ratio: { fresh: 501 } })).toEqual(['fresh ModelRatio: far']);
  });
});

it('where one price of a model is held back, its others are not taken without it', async () => {
  expect(await heldIn({ model_ratio: { both: 0.4 }, completion_ratio: { both: 8 } })).toEqual([
    'both ModelRatio: together',
    'both CompletionRatio: far',
  ]);
  expect(await heldIn({ model_ratio: { both: 0, bare: 2 }, cache_ratio: { both: 0.2 } })).toEqual([
    'bare ModelRatio: none',
    'both ModelRatio: zero',
    'both CacheRatio: far',
  ]);
});

it.each([
  ['as text', '2'],
  ['below zero', -1],
  ['endless', 1e12],
])('of a model with a price %s, the others are not taken without it', async (_, ratio) => {
  const held = ['both CompletionRatio: together'];
  expect(await heldIn({ model_ratio: { both: ratio }, completion_ratio: { both: 1 } })).toEqual(held);
  const row = { model_name: 'both', quota_type: 0, model_ratio: ratio, completion_ratio: 1 };
  expect(await heldIn({ data: [row] })).toEqual(held);
  const costs = { mode: 'chat', input_cost_per_token: 4e-6, output_cost_per_token: 8e-6 };
  expect(await heldIn({ both: { ...costs, cache_read_input_token_cost: ratio } })).toEqual([
    'both ModelRatio: together',
  ]);
  // Not said is not wrong.
  expect(await heldIn({ model_ratio: { both: null }, completion_ratio: { both: 1 } })).toEqual([
    'both CompletionRatio: none',
  ]);
});

it('a list or row that says it is in another currency than dollars is not read', async () => {
  const model_ratio = { both: 2 };
  await expect(compared({ currency: 'CNY', model_ratio })).rejects.toThrow('could not be read');
  await expect(compared({ data: { model_ratio }, currency: 'EUR' })).rejects.toThrow('could not be read');
  expect(await heldIn({ data: { model_ratio }, currency: 'USD' })).toEqual(['both ModelRatio: none']);
  const row = { model_name: 'both', quota_type: 0, model_ratio: 2 };
  const inYuan = { ...row, model_name: 'bare', currency: 'CNY' };
  expect(await heldIn({ data: [row, inYuan] })).toEqual(['both ModelRatio: none']);
  const costs = { mode: 'chat', input_cost_per_token: 4e-6, output_cost_per_token: 8e-6 };
  expect(await heldIn({ both: costs, bare: { ...costs, currency: 'CNY' } })).toEqual([
    'both ModelRatio: none',
  ]);
});

describe('ratios are units a token, so they are taken at the units to the dollar of their site', () => {
  const prices = { model_ratio: { fresh: 3 }, completion_ratio: { fresh: 2 }, model_price: { bare: 0.5 } };
  const here: Partial<OptionValues> = { QuotaPerUnit: 1_000_000 };

  it.each<[string, object, number | undefined, number, object]>([
    [
      'as it tells',
      { data: prices, quota_per_unit: 2_000_000 },
      undefined,
      1.5,
      { toDollar: 2_000_000, isTold: true },
    ],
    [
      'as it tells, whatever is said',
      { quota_per_unit: 2_000_000, data: prices },
      1,
      1.5,
      { toDollar: 2_000_000, isTold: true },
    ],
    ['as is said', prices, 1_000_000, 3, { toDollar: 1_000_000, isTold: false }],
    ['else as usual', prices, undefined, 6, { toDollar: 500_000, isTold: false }],
    [
      'as usual where it tells none',
      { data: prices, quota_per_unit: '1' },
      undefined,
      6,
      { toDollar: 500_000, isTold: false },
    ],
  ])('%s', async (_, list, there, ratio, units) => {
    const found = await compared(list, here, there);
    expect(found.units).toEqual(units);
    // Other ratios, and a price by the call, are the same everywhere.
    expect(found.rows.map(({ option, after }) => [option, after])).toEqual([
      ['ModelPrice', 0.5],
      ['ModelRatio', ratio],
      ['CompletionRatio', 2],
    ]);
  });

  it('a list in dollars has none', async () => {
    const list = { fresh: { mode: 'chat', input_cost_per_token: 2e-6, output_cost_per_token: 1e-5 } };
    expect((await compared(list, here)).units).toBeUndefined();
  });
});
