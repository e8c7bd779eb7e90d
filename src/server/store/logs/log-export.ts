import { type Kysely, sql } from 'kysely';
import type { LogRow } from '#core/log/log.ts';
import type { LogExport, LogExportFilter } from '#core/log/log-store.ts';
import type { Schema } from '../database/schema.ts';
import { countByStretch, type StretchCount } from './log-count.ts';
import { matching, type Numbers, numbersOf, spanOf } from './log-filter.ts';
import { type FoundLog, readLogPage, rowOf } from './log-page.ts';

/** Small, so that neither the reading thread nor the one that writes the response is blocked. */
const ROWS_AT_ONCE = 500;

/** The rows of one period after `last`, newest first. */
const rowsAfter = async (
  reader: Kysely<Schema>,
  numbers: Numbers,
  { fromMs, toMs }: StretchCount,
  last: LogRow | undefined,
  withDetails: boolean,
): Promise<LogRow[]> => {
  const key = last === undefined ? sql`` : sql`AND (created_at, id) < (${last.createdAtMs}, ${last.id})`;
  const details = withDetails ? sql.ref('other') : sql`''`;
  const { rows } = await sql<FoundLog>`
    SELECT l.*, u.name AS username, t.name AS token_name, m.name AS model, g.name AS group_name,
      p.name AS program_name, c.name AS channel_name
    FROM (
      SELECT id, created_at, type, user_id, username_id, token_id, token_name_id, channel_id, group_id, model_id, program_id, quota,
        prompt_tokens, completion_tokens, use_time_ms, is_stream, ip, request_id, content, cost, ${details} AS other
      FROM logs WHERE created_at >= ${fromMs} AND created_at <= ${toMs} ${key} AND ${matching(numbers)}
      ORDER BY created_at DESC, id DESC LIMIT ${ROWS_AT_ONCE}
    ) l
    LEFT JOIN names u ON u.id = l.username_id
    LEFT JOIN names t ON t.id = l.token_name_id
    LEFT JOIN names m ON m.id = l.model_id
    LEFT JOIN names g ON g.id = l.group_id
    LEFT JOIN names p ON p.id = l.program_id
    LEFT JOIN channels c ON c.id = l.channel_id
    ORDER BY l.created_at DESC, l.id DESC`.execute(reader);
  return rows.map(rowOf);
};

async function* pagesOf(
  reader: Kysely<Schema>,
  numbers: Numbers,
  stretches: readonly StretchCount[],
  withDetails: boolean,
) {
  for (const stretch of stretches) {
    let last: LogRow | undefined;
    for (;;) {
      const rows = await rowsAfter(reader, numbers, stretch, last, withDetails);
      if (rows.length > 0) yield rows;
      if (rows.length < ROWS_AT_ONCE) break;
      last = rows.at(-1);
    }
  }
}

async function* only<Item>(item: Item): AsyncGenerator<Item> {
  yield await Promise.resolve(item);
}

/** Exports all matching rows, read page by page on demand: only one page is in memory. */
export const exportLogs = async (reader: Kysely<Schema>, filter: LogExportFilter): Promise<LogExport> => {
  const numbers = await numbersOf(reader, filter);
  if (numbers === undefined) return { total: 0, pages: only([]) };
  if (filter.requestId !== undefined) {
    const { items } = await readLogPage(reader, filter, { page: 1, pageSize: 1 });
    return { total: items.length, pages: only(items) };
  }
  const stretches = await countByStretch(reader, numbers, spanOf(filter));
  const total = stretches.reduce((sum, { rows }) => sum + rows, 0);
  return { total, pages: pagesOf(reader, numbers, stretches, filter.withDetails === true) };
};
