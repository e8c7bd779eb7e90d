import { type RawBuilder, type SelectQueryBuilder, type Simplify, sql } from 'kysely';
import type { Page, PageRequest } from '#core/paging.ts';
import type { Schema } from './schema.ts';
import { offsetOf } from './search.ts';

/** What a list can be sorted by. */
interface SortValue {
  readonly by: RawBuilder<unknown>;
  /** Some rows have none: they come after all others. */
  readonly mayBeMissing?: true;
}

/** The sort options of a list: a value of its rows for each name. */
export type SortValues = Readonly<Record<string, SortValue>>;

/** One value that rows are sorted by. */
export interface Order {
  readonly by: RawBuilder<unknown>;
  readonly isDescending: boolean;
}

interface PageOrders {
  /** The sort options of the list, by name. */
  readonly sortValues?: SortValues;
  /** The list's own order, before newest first. */
  readonly own?: readonly Order[];
}

/** Up to this many rows are skipped from the start of the list; beyond that, a page is read from its nearer end. */
const SKIPPED_GLADLY = 1000;

/** The rows of a page, counted from the nearer end of its list: the last page costs what the first does. */
export interface Stretch {
  readonly isFromEnd: boolean;
  readonly skip: number;
  readonly take: number;
}

/** Where a page is in a list of so many rows. */
export const stretchOf = (page: PageRequest, total: number): Stretch => {
  const skip = offsetOf(page);
  const take = Math.max(0, Math.min(page.pageSize, total - skip));
  const behind = total - skip - take;
  return take > 0 && behind < skip
    ? { isFromEnd: true, skip: behind, take }
    : { isFromEnd: false, skip, take };
};

/**
 * The order in which rows are read. A missing value means never, so it sorts last; the engines' defaults differ.
 * Values that every row has need no such rule, so that an index can be used.
 */
const ordersOf = ({ sort }: PageRequest, { sortValues = {}, own = [] }: PageOrders): readonly Order[] => {
  const value = sort !== undefined && Object.hasOwn(sortValues, sort.key) ? sortValues[sort.key] : undefined;
  const isDescending = sort?.isDescending === true;
  const asked =
    value === undefined ? [] : value.mayBeMissing ? [sql`${value.by} IS NULL`, value.by] : [value.by];
  const last = { by: sql.ref('id'), isDescending: true };
  return [...asked.map((by) => ({ by, isDescending })), ...own, last];
};

/**
 * One page of a query's rows in the requested order (ties in the list's own order, then newest first), and the total
 * number of rows. Only the ids are sorted and skipped, not the whole rows.
 */
export const onePage = async <Table extends keyof Schema, Row, Item>(
  selected: SelectQueryBuilder<Schema, Table, Row>,
  page: PageRequest,
  read: (row: Simplify<Row>) => Item,
  pageOrders: PageOrders = {},
): Promise<Page<Item>> => {
  const orders = ordersOf(page, pageOrders);
  const bare = selected.clearSelect();
  const rowsOf = async ({ isFromEnd, skip, take }: Stretch): Promise<readonly Simplify<Row>[]> => {
    if (take === 0) return [];
    let ids = bare.select(sql<number>`id`.as('id'));
    for (const { by, isDescending } of orders)
      ids = ids.orderBy(by, isDescending === isFromEnd ? 'asc' : 'desc');
    let rows = selected.clearWhere().where(sql<boolean>`id IN ${ids.limit(take).offset(skip)}`);
    for (const { by, isDescending } of orders) rows = rows.orderBy(by, isDescending ? 'desc' : 'asc');
    return rows.execute();
  };
  const count = async (): Promise<number> =>
    (await bare.select((is) => is.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;
  const skip = offsetOf(page);
  if (skip <= SKIPPED_GLADLY) {
    const near = { isFromEnd: false, skip, take: page.pageSize };
    // In parallel, so that neither waits for the other.
    const [rows, total] = await Promise.all([rowsOf(near), count()]);
    return { items: rows.map(read), total };
  }
  const total = await count();
  return { items: (await rowsOf(stretchOf(page, total))).map(read), total };
};
