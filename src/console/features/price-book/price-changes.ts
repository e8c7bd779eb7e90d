import type {
  createPriceDraft,
  listPriceDrafts,
  listPriceVersions,
} from '#contract/api/wallet/price-book.ts';
import type { readPriceVersion } from '#contract/api/wallet/price-book.ts';
import type { Data, Sent } from '#contract/endpoint.ts';
import { type PriceOption, priceOptions } from '#contract/price-book.ts';
import { MISSING } from '../../lib/text/format.ts';
import type { Translate } from '../../lib/text/i18n.ts';

export type Version = Data<typeof listPriceVersions>['items'][number];
export type Draft = Data<typeof listPriceDrafts>[number];
export type Change = Data<typeof readPriceVersion>['diff'][number];
export type Value = Change['before'];
export type Entry = NonNullable<Sent<typeof createPriceDraft>['body']>['entries'][number];

/** The query key of the list and its details. */
export const PRICE_BOOK = 'price-book';

/** The options' names in the forms, because text keys cannot contain dots. */
export const optionKeys = {
  ModelPrice: 'modelPrice',
  ModelRatio: 'modelRatio',
  CompletionRatio: 'completionRatio',
  CacheRatio: 'cacheRatio',
  CreateCacheRatio: 'createCacheRatio',
  PriceDimensions: 'dimensions',
  'tool_price_setting.prices': 'toolPrices',
  GroupRatio: 'groupRatio',
  GroupGroupRatio: 'groupGroupRatio',
} as const satisfies Readonly<Record<PriceOption, string>>;

/** Why a version came to be, where nobody gave a reason: by which form. */
export const reasonText = (reason: string, t: Translate<'price-book'>): string =>
  reason === 'settings' || reason === 'prices' ? t(`version.${reason}`) : reason || MISSING;

export const isPriceOption = (text: string): text is PriceOption => priceOptions.some((one) => one === text);

/** A value as it is shown and typed. */
export const valueText = (value: Value): string =>
  value === null ? '' : typeof value === 'number' ? String(value) : JSON.stringify(value);

/** Parses the input: a number or a JSON object; empty removes the entry. Undefined for anything else. */
export const valueFrom = (text: string): Value | undefined => {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value));
  } catch {
    // Not yet whole.
  }
  return undefined;
};

/** How much more it is, of numbers; undefined where that says nothing. */
export const partMore = (before: Value, after: Value): number | undefined =>
  typeof before === 'number' && typeof after === 'number' && before !== 0 ? after / before - 1 : undefined;

/** The entries with one set; the last of a name counts. */
export const withEntry = (entries: readonly Entry[], entry: Entry): Entry[] => [
  ...entries.filter(({ option, key }) => option !== entry.option || key !== entry.key),
  entry,
];

export const entriesOf = (diff: readonly Change[]): Entry[] =>
  diff.map(({ option, key, after }) => ({ option, key, value: after }));
