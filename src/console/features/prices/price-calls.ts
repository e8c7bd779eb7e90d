import { listModelPrices, setModelPrices } from '#contract/api/model-prices.ts';
import type { Sent } from '#contract/endpoint.ts';
import { MAX_PAGE_SIZE } from '#contract/limits.ts';
import { type Page, sortText, type View } from '../../kit/resource-table/column.ts';
import { call } from '../../lib/api.ts';
import type { PriceChange, PricedModel } from './price.ts';

type Query = NonNullable<Sent<typeof listModelPrices>['query']>;

/** What of the list the address asks for. */
const queryOf = ({ search, filters, sort }: Pick<View, 'search' | 'filters' | 'sort'>): Query => ({
  keyword: search.trim(),
  origin: filters['origin'] as Query['origin'],
  group: filters['group'],
  sort: sortText(sort),
});

export const loadPrices = (view: View, signal: AbortSignal): Promise<Page<PricedModel>> =>
  call(listModelPrices, { query: { ...queryOf(view), p: view.page, page_size: view.pageSize } }, signal);

/** More models than one saves together. */
export const MOST_MULTIPLIED = 2000;

/** Every model under the filters, in pages; at most as many as are saved together. */
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

export const savePrices = (models: readonly PriceChange[]) =>
  call(setModelPrices, { body: { models: [...models] } });

/** What is saved to bring a model back to what was set before. */
export const asBefore = ({ model, set }: PricedModel): PriceChange => ({ model, ...set });
