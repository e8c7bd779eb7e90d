import { modelDimensions } from '#contract/options/price-dimensions.ts';
import { modelPriceOptions, type PriceOption } from '#contract/price-book.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { PriceBookStore } from '#core/price-book/price-book-store.ts';
import { formerNames, presentGroup } from '#core/token/present-group.ts';
import { type PriceChange, type PriceValue, stableText } from '#core/price-book/price-tables.ts';
import type { UsdPrices } from '#core/quota/usd-prices.ts';
import type { ShownVariant } from './shown-variants.ts';
import { pricingOf } from './pricing.ts';

/** The price of a model from a moment on, in the groups that the visitor may see. */
export interface PastPrice {
  /** Undefined for the price before the first known change. */
  readonly fromMs: number | undefined;
  readonly prices: Readonly<Record<string, UsdPrices>>;
  readonly variants: readonly ShownVariant[];
}

const CHANGES_MAX = 500;
const SHOWN_MAX = 100;

type Options = Routing['options'];

/** The options with one value restored to what it was. */
const withValue = (options: Options, option: PriceOption, key: string, value: PriceValue): Options => {
  const table = new Map<string, unknown>(Object.entries(options[option]));
  if (value === null) table.delete(key);
  else table.set(key, option === 'PriceDimensions' ? (modelDimensions.safeParse(value).data ?? {}) : value);
  return { ...options, [option]: Object.fromEntries(table) };
};

/**
 * Changes of groups by what these are called now. Where a group was renamed, what it had by its former name counts, not
 * that its present one was new.
 */
const withPresentNames = (options: Options, changes: readonly PriceChange[]): readonly PriceChange[] => {
  const present = (name: string): string => presentGroup(options, name);
  return changes
    .map((change): PriceChange & { readonly isFormer: boolean } => {
      if (change.option !== 'GroupRatio' && change.option !== 'GroupGroupRatio')
        return { ...change, isFormer: false };
      const { key, before } = change;
      const isTable = typeof before === 'object' && before !== null;
      return {
        ...change,
        key: present(key),
        before: isTable
          ? Object.fromEntries(Object.entries(before).map(([name, value]) => [present(name), value]))
          : before,
        isFormer: present(key) !== key,
      };
    })
    .toSorted((one, other) => Number(one.isFormer) - Number(other.isFormer));
};

/** Only the options' entries for one model, so that restoring values is quick. */
const ofModel = (options: Options, model: string): Options => ({
  ...options,
  ...Object.fromEntries(
    modelPriceOptions.map((option) => {
      const table: Readonly<Record<string, unknown>> = options[option];
      return [option, Object.hasOwn(table, model) ? { [model]: table[model] } : {}];
    }),
  ),
});

/**
 * The prices of a model over time, newest first; empty if the visitor may not see the model. What the catalogue had in
 * the past is unknown: if nothing was set, its current price is shown.
 */
export const priceHistory = async (
  { changesTo }: Pick<PriceBookStore, 'changesTo'>,
  routing: Routing,
  userGroup: string,
  model: string,
): Promise<readonly PastPrice[]> => {
  const only = onlyModel(routing, model);
  const shown = (options: Options) =>
    pricingOf({ ...only, options }, userGroup).models.find(({ name }) => name === model);
  const now = shown(ofModel(routing.options, model));
  if (now === undefined) return [];
  const groups = Object.keys(now.prices);
  const changes = await changesTo(
    new Map<PriceOption, readonly string[]>([
      ...modelPriceOptions.map((option) => [option, [model]] as const),
      ['GroupRatio', groups.flatMap((group) => [group, ...formerNames(routing.options, group)])],
      ['GroupGroupRatio', [userGroup, ...formerNames(routing.options, userGroup)]],
    ]),
    CHANGES_MAX,
  );
  const past: PastPrice[] = [];
  let options = ofModel(routing.options, model);
  let last: { readonly prices: PastPrice['prices']; readonly variants: PastPrice['variants'] } = now;
  const note = (fromMs: number | undefined): void => {
    const { prices, variants } = last;
    const newer = past.at(-1);
    const isSame =
      newer !== undefined && stableText([newer.prices, newer.variants]) === stableText([prices, variants]);
    if (isSame) past[past.length - 1] = { ...newer, fromMs };
    else past.push({ fromMs, prices, variants });
  };
  for (const versionChanges of Map.groupBy(changes, ({ version }) => version).values()) {
    note(versionChanges[0]?.createdAtMs);
    for (const { option, key, before } of withPresentNames(routing.options, versionChanges))
      options = withValue(options, option, key, before);
    last = shown(options) ?? { prices: {}, variants: [] };
  }
  if (changes.length < CHANGES_MAX) note(undefined);
  return past.slice(0, SHOWN_MAX);
};

/** The routing with one model only, to avoid listing all. */
const onlyModel = (routing: Routing, model: string): Routing => ({
  ...routing,
  tiers: new Map(
    [...routing.tiers].map(([group, models]) => {
      const tiers = models.get(model);
      return [group, new Map(tiers === undefined ? [] : [[model, tiers]])];
    }),
  ),
});
