import { type Kysely, sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { PageSort } from '#core/paging.ts';
import type { Schema } from '../database/schema.ts';
import type { Stretch } from '../database/one-page.ts';
import { matching, type Numbers, type Span } from './log-filter.ts';

/** The values that logs can be sorted by besides time; all are in the index used for filtering. */
const values = {
  times: sql`use_time_ms`,
  prompt: sql`prompt_tokens`,
  completion: sql`completion_tokens`,
  // Top-ups are not costs: a search for the most expensive calls leaves them out.
  cost: sql`CASE WHEN type = ${sql.lit(logType.consume)} THEN quota ELSE 0 END`,
} as const;

/** The most rows of a span that are sorted, the newest ones: sorting a busy year would take minutes. */
const SORTED_ROWS_MAX = 1_000_000;

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

/** The ids of a stretch of a span's matching rows in order; ties newest first. Reads only the index. */
export const sortedIds = async (
  reader: Kysely<Schema>,
  numbers: Numbers,
  { fromMs, toMs }: Span,
  sort: PageSort,
  { isFromEnd, skip, take }: Stretch,
): Promise<number[]> => {
  if (take === 0) return [];
  const value = values[sort.key as keyof typeof values];
  const newestFirst = isFromEnd ? 'asc' : 'desc';
  const rows = await reader
    .selectFrom('logs')
    .select('id')
    .where('created_at', '>=', fromMs)
    .where('created_at', '<=', toMs)
    .where(matching(numbers))
    .orderBy(value, sort.isDescending === isFromEnd ? 'asc' : 'desc')
    .orderBy('created_at', newestFirst)
    .orderBy('id', newestFirst)
    .limit(take)
    .offset(skip)
    .execute();
  const ids = rows.map(({ id }) => id);
  return isFromEnd ? ids.reverse() : ids;
};
