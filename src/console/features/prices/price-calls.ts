import { listModelPrices, setModelPrices } from '#contract/api/wallet/model-prices.ts';
import type { Sent } from '#contract/endpoint.ts';
import { MAX_PAGE_SIZE } from '#contract/limits.ts';
import { type Page, sortText, type View } from '../../kit/resource-table/column.ts';
import { call } from '../../lib/server/api.ts';
import { textsOf } from '../../lib/text/i18n.ts';
import { queryClient } from '../../lib/server/query.ts';
import { type PriceChange, type PricedModel, PRICES } from './price.ts';
import { listed } from '../../lib/text/format.ts';

type Query = NonNullable<Sent<typeof listModelPrices>['query']>;

/** The list's query, from the address. */
const queryOf = ({ search, filters, sort }: Pick<View, 'search' | 'filters' | 'sort'>): Query => ({
  keyword: search.trim(),
  origin: filters['origin'] as Query['origin'],
  group: filters['group'],
  sort: sortText(sort),
});

export const loadPrices = (view: View, signal: AbortSignal): Promise<Page<PricedModel>> =>
  call(listModelPrices, { query: { ...queryOf(view), p: view.page, page_size: view.pageSize } }, signal);

/** The most models that are saved together. */
const MOST_MULTIPLIED = 2000;

/** Every model under the filters, read in pages, up to the number that is saved together. */
export const loadAllPrices = async (
  view: Pick<View, 'search' | 'filters' | 'sort'>,
  signal: AbortSignal,
): Promise<{ readonly rows: readonly PricedModel[]; readonly total: number }> => {
  const rows: PricedModel[] = [];
  for (let page = 1; rows.length < MOST_MULTIPLIED; page += 1) {
    const { items, total } = await call(
      listModelPrices,
      { query: { ...queryOf(view), p: page, page_size: MAX_PAGE_SIZE } },
      signal,
    );
    rows.push(...items);
    if (items.length === 0 || rows.length >= total) return { rows, total };
  }
  return { rows, total: rows.length };
};

/** The model of that name; undefined if it is not offered. */
export const readPrice = async (model: string, signal: AbortSignal): Promise<PricedModel | undefined> => {
  const { items } = await call(
    listModelPrices,
    { query: { keyword: model, sort: 'model', page_size: MAX_PAGE_SIZE } },
    signal,
  );
  return items.find((row) => row.model === model);
};

type Sending = NonNullable<Sent<typeof setModelPrices>['body']>;

/**
 * Publishes prices of models as one version. Throws if others have changed one of them since it was read; the list is then
 * reloaded.
 * @returns the new version; undefined where the change waits for the approval of another admin
 */
export const savePrices = async (
  models: readonly PriceChange[],
  { reason, at, base }: Pick<Sending, 'reason' | 'at' | 'base'>,
): Promise<number | undefined> => {
  const body = {
    models: [...models],
    reason,
    ...(at !== undefined && { at }),
    ...(base !== undefined && { base }),
  };
  const { published, version, draft, changed_since: others } = await call(setModelPrices, { body });
  if (published) return version;
  if (draft !== null) return undefined;
  void queryClient.invalidateQueries({ queryKey: [PRICES] });
  const names = [...new Set(others.map(({ key }) => key))];
  throw new Error(textsOf('prices')('change.others', { models: listed(names.slice(0, 5)) }));
};

/** The request that restores a model's earlier prices. */
export const asBefore = ({ model, set }: PricedModel): PriceChange => ({ model, ...set });
