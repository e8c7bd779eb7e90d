import { expect, it } from 'vitest';
import type { PriceOption } from '#contract/price-book.ts';
import { namesIn, partMore, ratioRows, ratiosOf, valueIn, valueText, withEntry } from './price-changes.ts';

const tables = new Map<PriceOption, unknown>([
  ['ModelRatio', { 'gpt-4o': 1.25 }],
  ['PriceDimensions', { 'o3-pro': { tiers: { flex: 0.5 } } }],
  ['GroupRatio', { default: 1, vip: 0.5 }],
  ['GroupGroupRatio', { vip: { default: 0.8 } }],
  ['tool_price_setting.prices', { web_search: 10 }],
  ['CacheRatio', 'no table'],
]);

it('offers names that have a price in a related option, and starts from the current value', () => {
  const names = (option: PriceOption) => [...namesIn(tables, option)].toSorted();
  expect(names('ModelPrice')).toEqual(['gpt-4o', 'o3-pro']);
  expect(names('GroupGroupRatio')).toEqual(['default', 'vip']);
  expect(names('tool_price_setting.prices')).toEqual(['web_search']);
  expect([...namesIn(undefined, 'ModelPrice')]).toEqual([]);
  expect(valueIn(tables.get('ModelRatio'), 'gpt-4o')).toBe(1.25);
  expect(valueIn(tables.get('PriceDimensions'), 'o3-pro')).toEqual({ tiers: { flex: 0.5 } });
  expect([
    valueIn(tables.get('CacheRatio'), 'length'),
    valueIn({}, 'toString'),
    valueIn(undefined, 'a'),
  ]).toEqual([null, null, null]);
});

it('special ratios are complete if every group is there once with a ratio of 0 or more', () => {
  expect(ratioRows({ default: 0.8, vip: 0 })).toEqual([
    { group: 'default', ratio: 0.8 },
    { group: 'vip', ratio: 0 },
  ]);
  expect(ratiosOf([{ group: ' default ', ratio: 0.8 }])).toEqual({ default: 0.8 });
  expect(ratiosOf([])).toBeNull();
  const wrong = [
    [{ group: '', ratio: 1 }],
    [{ group: 'a', ratio: undefined }],
    [{ group: 'a', ratio: -1 }],
    [
      { group: 'a', ratio: 1 },
      { group: 'a ', ratio: 2 },
    ],
  ];
  expect(wrong.map(ratiosOf)).toEqual(wrong.map(() => undefined));
});

it('a value that no form understands is shown as stored', () => {
  expect([null, 0, 1.5, { a: 1 }].map(valueText)).toEqual(['', '0', '1.5', '{"a":1}']);
});

it('a percentage is only shown for two numbers, never from 0', () => {
  expect(partMore(2, 3)).toBeCloseTo(0.5);
  expect(partMore(2, 0)).toBe(-1);
  expect([partMore(0, 3), partMore(null, 3), partMore(3, null), partMore({}, 3)]).toEqual(
    Array.from({ length: 4 }),
  );
});

it('the last entry of a name counts', () => {
  const first = [
    { option: 'ModelPrice', key: 'a', value: 1 } as const,
    { option: 'ModelRatio', key: 'a', value: 2 } as const,
  ];
  expect(withEntry(first, { option: 'ModelPrice', key: 'a', value: null })).toEqual([
    { option: 'ModelRatio', key: 'a', value: 2 },
    { option: 'ModelPrice', key: 'a', value: null },
  ]);
});
