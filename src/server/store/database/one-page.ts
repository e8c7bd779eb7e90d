import { type RawBuilder, type SelectQueryBuilder, type Simplify, sql } from 'kysely';
import type { Page, PageRequest } from '#core/paging.ts';
import type { Schema } from './schema.ts';
import { offsetOf } from './search.ts';

/** The sort options of a list: a value of its rows for each name. */
export type SortValues = Readonly<Record<string, RawBuilder<unknown>>>;

/**
 * One page of a query's rows in the requested order (ties in the query's own order, then newest first), and the total
 * number of rows.
 */
export const onePage = async <Table extends keyof Schema, Row, Item>(
  selected: SelectQueryBuilder<Schema, Table, Row>,
  page: PageRequest,
  read: (row: Simplify<Row>) => Item,
  sortValues: SortValues = {},
): Promise<Page<Item>> => {
  const { sort } = page;
  const value = sort !== undefined && Object.hasOwn(sortValues, sort.key) ? sortValues[sort.key] : undefined;
  const order = sort?.isDescending === true ? 'desc' : 'asc';
  // A missing value means never, so it sorts after all others; the engines' defaults differ.
  const sorted =
    value === undefined ? selected : selected.orderBy(sql`${value} IS NULL`, order).orderBy(value, order);
  // In parallel, so that neither waits for the other.
  const [rows, { total }] = await Promise.all([
    sorted.orderBy(sql.ref('id'), 'desc').limit(page.pageSize).offset(offsetOf(page)).execute(),
    selected
      .clearSelect()
      .clearOrderBy()
      .select((is) => is.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { items: rows.map(read), total };
};
