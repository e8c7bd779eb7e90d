import { type Kysely, sql } from 'kysely';
import type { PageRequest, PageSort } from '#core/paging.ts';
import type { Schema } from '../database/schema.ts';
import { offsetOf } from '../database/search.ts';
import { matching, type Numbers, type Span } from './log-filter.ts';

/** The values that logs can be sorted by besides time; all are in the index used for filtering. */
const values = {
  times: sql`use_time_ms`,
  prompt: sql`prompt_tokens`,
  completion: sql`completion_tokens`,
  cost: sql`quota`,
} as const;

/** The most rows of a span that are sorted, the newest ones: sorting a busy year would take minutes. */
export const SORTED_ROWS_MAX = 1_000_000;

/** Whether this order compares values; time order is the order of the index. */
export const isByValue = (sort: PageSort | undefined): sort is PageSort =>
  sort !== undefined && Object.hasOwn(values, sort.key);

/** The part of a span whose rows are sorted: all of it, or only its newest rows up to that number. */
export const sortedSpan = async (
  reader: Kysely<Schema>,
  { fromMs, toMs }: Span,
  rowsMax = SORTED_ROWS_MAX,
): Promise<Span> => {
  const cut = await reader
    .selectFrom('logs')
    .select('created_at')
    .where('created_at', '>=', fromMs)
    .where('created_at', '<=', toMs)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(rowsMax)
    .executeTakeFirst();
  return { fromMs: cut === undefined ? fromMs : cut.created_at + 1, toMs };
};

/** The ids of one page of a span's matching rows in order; ties newest first. Reads only the index. */
export const sortedIds = async (
  reader: Kysely<Schema>,
  numbers: Numbers,
  { fromMs, toMs }: Span,
  page: PageRequest & { readonly sort: PageSort },
): Promise<number[]> => {
  const value = values[page.sort.key as keyof typeof values];
  const rows = await reader
    .selectFrom('logs')
    .select('id')
    .where('created_at', '>=', fromMs)
    .where('created_at', '<=', toMs)
    .where(matching(numbers))
    .orderBy(value, page.sort.isDescending ? 'desc' : 'asc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.pageSize)
    .offset(offsetOf(page))
    .execute();
  return rows.map(({ id }) => id);
};
