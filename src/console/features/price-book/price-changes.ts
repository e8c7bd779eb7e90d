import type {
  createPriceDraft,
  listPriceDrafts,
  listPriceVersions,
} from '#contract/api/wallet/price-book.ts';
import type { readPriceVersion } from '#contract/api/wallet/price-book.ts';
import type { Data, Sent } from '#contract/endpoint.ts';
import {
  GROUP_RENAMED,
  modelPriceOptions,
  type PriceOption,
  priceOptions,
  type PriceSetting,
  SAVED_SETTINGS,
  SET_IN_LIST,
} from '#contract/price-book.ts';
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

/** Whether somebody gave this reason; else it is the word of the form that made the change. */
export const isGiven = (reason: string): boolean =>
  reason !== SAVED_SETTINGS && reason !== SET_IN_LIST && reason !== GROUP_RENAMED;

/** The settings' names in the texts, likewise. */
export const settingKeys = {
  'price_setting.second_person': 'secondPerson',
  QuotaPerUnit: 'quotaPerUnit',
  USDExchangeRate: 'exchangeRate',
  Price: 'topUpPrice',
  TopupGroupRatio: 'topUpRatio',
  SelfUseModeEnabled: 'selfUse',
  GroupServiceTerms: 'serviceTerms',
  'group_setting.former_names': 'formerNames',
  'global.unpriced_work_enabled': 'unpricedWork',
} as const satisfies Readonly<Record<PriceSetting, string>>;

/** The reason for a version; if nobody gave one, the form that made it. */
export const reasonText = (reason: string, t: Translate<'price-book'>): string =>
  reason === SAVED_SETTINGS || reason === SET_IN_LIST || reason === GROUP_RENAMED
    ? t(`version.${reason}`)
    : reason || MISSING;

/** Whether the option's names are models: the built-in list prices those that are not set. */
export const isOfModels = (option: PriceOption): boolean => modelPriceOptions.some((one) => one === option);

export const isPriceOption = (text: string): text is PriceOption => priceOptions.some((one) => one === text);

/** The text of a value. */
export const valueText = (value: Value): string =>
  value === null ? '' : typeof value === 'number' ? String(value) : JSON.stringify(value);

const entriesIn = (table: unknown): readonly (readonly [string, unknown])[] =>
  typeof table === 'object' && table !== null ? Object.entries(table) : [];

/** A name's value in an option's table; null if it has none. */
export const valueIn = (table: unknown, key: string): Value => {
  const value = entriesIn(table).find(([name]) => name === key)?.[1];
  if (typeof value === 'number') return value;
  return typeof value === 'object' && value !== null ? Object.fromEntries(entriesIn(value)) : null;
};

/** Names to offer for an option: for a model price the names in all such options, for groups those with a ratio. */
export const namesIn = (
  tables: ReadonlyMap<PriceOption, unknown> | undefined,
  option: PriceOption,
): ReadonlySet<string> => {
  const others = isOfModels(option) ? modelPriceOptions : ['GroupRatio' as const];
  const options = option === 'tool_price_setting.prices' ? [option] : [option, ...others];
  return new Set(options.flatMap((one) => entriesIn(tables?.get(one)).map(([name]) => name)));
};

/** A used group and its ratio; undefined while the field is empty. */
export interface RatioRow {
  readonly group: string;
  readonly ratio: number | undefined;
}

export const ratioRows = (value: Value): readonly RatioRow[] =>
  entriesIn(value).map(([group, ratio]) => ({ group, ratio: typeof ratio === 'number' ? ratio : undefined }));

/** Null for no ratios; undefined while a name is missing or double, or a ratio is missing or negative. */
export const ratiosOf = (rows: readonly RatioRow[]): Value | undefined => {
  if (rows.length === 0) return null;
  const table = new Map(rows.map(({ group, ratio = -1 }) => [group.trim(), ratio]));
  const isWhole =
    table.size === rows.length && !table.has('') && [...table.values()].every((one) => one >= 0);
  return isWhole ? Object.fromEntries(table) : undefined;
};

/** The relative change of a number; undefined if there is none, or the value is no number. */
export const partMore = (before: Value, after: Value): number | undefined =>
  typeof before === 'number' && typeof after === 'number' && before !== 0 ? after / before - 1 : undefined;

/** The entries with one added or replaced; the last entry of a name counts. */
export const withEntry = (entries: readonly Entry[], entry: Entry): Entry[] => [
  ...entries.filter(({ option, key }) => option !== entry.option || key !== entry.key),
  entry,
];

export const entriesOf = (diff: readonly Change[]): Entry[] =>
  diff.map(({ option, key, after }) => ({ option, key, value: after }));
