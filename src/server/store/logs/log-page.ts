import { type Kysely, sql } from 'kysely';
import type { LogRow } from '#core/log/log.ts';
import type { LogFilter, LogPage } from '#core/log/log-store.ts';
import type { PageRequest, PageSort } from '#core/paging.ts';
import { countByStretch, type StretchCount } from './log-count.ts';
import { matching, type Numbers, numbersOf, type Span, spanOf } from './log-filter.ts';
import { isByValue, sortedIds, sortedSpan } from './log-sort.ts';
import type { LogsTable } from '../database/log-schema.ts';
import type { Schema } from '../database/schema.ts';
import { stretchOf } from '../database/one-page.ts';
import { offsetOf } from '../database/search.ts';
import type { Selectable } from 'kysely';

/** Some rows of one period: skips the `skip` newest, then takes `take`. */
interface Slice {
  readonly stretch: StretchCount;
  readonly skip: number;
  readonly take: number;
}

/** The rows of each period that make up a page. */
const slicesOf = (stretches: readonly StretchCount[], offset: number, pageSize: number): Slice[] => {
  const slices: Slice[] = [];
  let before = 0;
  let missing = pageSize;
  for (const stretch of stretches) {
    const skip = Math.max(0, offset - before);
    before += stretch.rows;
    if (skip >= stretch.rows) continue;
    const take = Math.min(missing, stretch.rows - skip);
    slices.push({ stretch, skip, take });
    missing -= take;
    if (missing === 0) break;
  }
  return slices;
};

/** The ids of a slice, newest first, read from the nearer end of its period, using only the narrow index. */
const idsOf = async (
  reader: Kysely<Schema>,
  numbers: Numbers,
  { stretch, skip, take }: Slice,
): Promise<number[]> => {
  const fromEnd = stretch.rows - skip - take;
  const direction = fromEnd < skip ? 'asc' : 'desc';
  const rows = await reader
    .selectFrom('logs')
    .select('id')
    .where('created_at', '>=', stretch.fromMs)
    .where('created_at', '<=', stretch.toMs)
    .where(matching(numbers))
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(take)
    .offset(Math.min(skip, fromEnd))
    .execute();
  const ids = rows.map(({ id }) => id);
  return direction === 'asc' ? ids.reverse() : ids;
};

/** A row as read. */
export type FoundLog = Omit<Selectable<LogsTable>, 'priced' | 'cached_tokens'>;

/** Null if there is none. */
interface NamesOfLog {
  readonly username: string | null;
  readonly token_name: string | null;
  readonly model: string | null;
  readonly group_name: string | null;
  readonly program_name: string | null;
  readonly channel_name: string | null;
}

/** Converts a database row and its names to the form the rest of the server uses. */
export const rowOf = (found: FoundLog, named: NamesOfLog): LogRow => ({
  id: found.id,
  requestId: found.request_id,
  createdAtMs: found.created_at,
  type: found.type,
  userId: found.user_id,
  username: named.username ?? '',
  tokenId: found.token_id,
  tokenName: named.token_name ?? '',
  channelId: found.channel_id,
  channelName: named.channel_name ?? '',
  group: named.group_name ?? '',
  model: named.model ?? '',
  program: named.program_name ?? '',
  promptTokens: found.prompt_tokens,
  completionTokens: found.completion_tokens,
  quotaUnits: found.quota,
  useTimeMs: found.use_time_ms,
  isStream: found.is_stream === 1,
  ip: found.ip,
  content: found.content,
  other: found.other,
  ...(found.cost !== null && { costNano: found.cost }),
  ...(found.session !== null && { session: found.session }),
  savedUnits: found.saved,
});

/** The rows in the order of their ids. */
const rowsOf = async (reader: Kysely<Schema>, ids: readonly number[]): Promise<LogRow[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<
    FoundLog & NamesOfLog
  >`SELECT logs.*, u.name AS username, t.name AS token_name, m.name AS model,
      g.name AS group_name, p.name AS program_name, c.name AS channel_name
    FROM logs
    LEFT JOIN names u ON u.id = logs.username_id
    LEFT JOIN names t ON t.id = logs.token_name_id
    LEFT JOIN names m ON m.id = logs.model_id
    LEFT JOIN names g ON g.id = logs.group_id
    LEFT JOIN names p ON p.id = logs.program_id
    LEFT JOIN channels c ON c.id = logs.channel_id
    WHERE logs.id IN (${sql.join(ids)})`.execute(reader);
  const byId = new Map(rows.map((found) => [found.id, found]));
  return ids.flatMap((id) => byId.get(id) ?? []).map((found) => rowOf(found, found));
};

/**
 * The row of one call, if it matches the rest of the filter. Found through the hold, so the logs need no index for
 * this.
 */
const byRequest = async (reader: Kysely<Schema>, requestId: string, numbers: Numbers, filter: LogFilter) => {
  const span = spanOf(filter);
  const found = await reader
    .selectFrom('logs')
    .select('id')
    .where('id', '=', (is) => is.selectFrom('holds').select('log_id').where('holds.id', '=', requestId))
    .where('created_at', '>=', span.fromMs)
    .where('created_at', '<=', span.toMs)
    .where(matching(numbers))
    .execute();
  return rowsOf(
    reader,
    found.map(({ id }) => id),
  );
};

const NOTHING = { items: [], total: 0 };

const totalOf = (stretches: readonly StretchCount[]): number =>
  stretches.reduce((sum, { rows }) => sum + rows, 0);

/** The ids of one page in time order. For oldest first, reads from the other end and reverses the result. */
const idsByTime = async (
  reader: Kysely<Schema>,
  numbers: Numbers,
  stretches: readonly StretchCount[],
  page: PageRequest,
): Promise<number[]> => {
  const isOldestFirst = page.sort?.key === 'time' && !page.sort.isDescending;
  const left = totalOf(stretches) - offsetOf(page);
  if (left <= 0) return [];
  const take = Math.min(page.pageSize, left);
  const slices = slicesOf(stretches, isOldestFirst ? left - take : offsetOf(page), take);
  const ids = (await Promise.all(slices.map((slice) => idsOf(reader, numbers, slice)))).flat();
  return isOldestFirst ? ids.reverse() : ids;
};

/** One page sorted by a value; if the span has very many rows, only its newest are sorted. */
const readSorted = async (
  reader: Kysely<Schema>,
  numbers: Numbers,
  span: Span,
  page: PageRequest & { readonly sort: PageSort },
): Promise<LogPage> => {
  const sorted = await sortedSpan(reader, span);
  const total = totalOf(await countByStretch(reader, numbers, sorted));
  const ids = await sortedIds(reader, numbers, sorted, page.sort, stretchOf(page, total));
  const isCut = sorted.fromMs > span.fromMs;
  return {
    items: await rowsOf(reader, ids),
    total,
    ...(isCut && { sortedSinceMs: sorted.fromMs }),
  };
};

/** One page of logs, newest first or as requested, and the total number of matching rows. */
export const readLogPage = async (
  reader: Kysely<Schema>,
  filter: LogFilter,
  page: PageRequest,
): Promise<LogPage> => {
  const numbers = await numbersOf(reader, filter);
  if (numbers === undefined) return NOTHING;
  if (filter.requestId !== undefined) {
    const items = await byRequest(reader, filter.requestId, numbers, filter);
    return { items: page.page === 1 ? items : [], total: items.length };
  }
  const { sort } = page;
  if (isByValue(sort)) return readSorted(reader, numbers, spanOf(filter), { ...page, sort });
  const stretches = await countByStretch(reader, numbers, spanOf(filter));
  const ids = await idsByTime(reader, numbers, stretches, page);
  return { items: await rowsOf(reader, ids), total: totalOf(stretches) };
};
