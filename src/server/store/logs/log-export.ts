import { type Kysely, sql } from 'kysely';
import type { LogRow } from '#core/log/log.ts';
import type { LogExport, LogExportFilter } from '#core/log/log-store.ts';
import type { Schema } from '../database/schema.ts';
import { asObjects, type RowReading } from './exported-rows.ts';
import { countByStretch, type StretchCount } from './log-count.ts';
import { matching, type Numbers, numbersOf, type Span, spanOf } from './log-filter.ts';
import { type FoundLog, readLogPage, rowOf } from './log-page.ts';

/** More would not fit into one statement. */
const IDS_AT_ONCE = 1000;

interface Reading {
  readonly reader: Kysely<Schema>;
  readonly numbers: Numbers;
  readonly withDetails: boolean;
  readonly rows: RowReading;
}

/** The names of ids, each read once. A file of a million rows has only some hundred. */
class Names {
  readonly #reader: Kysely<Schema>;
  readonly #table: 'names' | 'channels';
  readonly #known = new Map<number, string>();

  constructor(reader: Kysely<Schema>, table: 'names' | 'channels') {
    this.#reader = reader;
    this.#table = table;
  }

  /** Reads those that are not known yet; the others have no name. */
  async read(ids: Iterable<number>): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.#known.has(id));
    for (const id of unknown) this.#known.set(id, '');
    for (let at = 0; at < unknown.length; at += IDS_AT_ONCE) {
      const some = unknown.slice(at, at + IDS_AT_ONCE);
      const found = this.#reader.selectFrom(this.#table).select(['id', 'name']).where('id', 'in', some);
      for (const { id, name } of await found.execute()) this.#known.set(id, name);
    }
  }

  of(id: number): string {
    return this.#known.get(id) ?? '';
  }
}

/** The rows of one period after `last`, newest first. */
const rowsAfter = (
  { reader, numbers, withDetails, rows }: Reading,
  { fromMs, toMs }: Span,
  last: FoundLog | undefined,
): Promise<readonly FoundLog[]> => {
  // SQLite uses only one upper limit of an index: if that were the end of the period, each page would pass over all
  // rows of the pages before it.
  const until = last?.created_at ?? toMs;
  const key = last === undefined ? sql`` : sql`AND (created_at < ${until} OR id < ${last.id})`;
  const details = withDetails ? sql.ref('other') : sql`''`;
  const found = sql`
    WHERE created_at >= ${fromMs} AND created_at <= ${until} ${key} AND ${matching(numbers)}
    ORDER BY created_at DESC, id DESC LIMIT ${rows.rowsAtOnce}`;
  return rows.read(reader, details, found);
};

/**
 * The same rows with their names, which are looked up once per page: joining six tables would take as long as reading
 * the rows.
 */
const withNames = async (
  rows: readonly FoundLog[],
  names: Names,
  channels: Names,
): Promise<readonly LogRow[]> => {
  await names.read(
    rows.flatMap((row) => [row.username_id, row.token_name_id, row.model_id, row.group_id, row.program_id]),
  );
  await channels.read(rows.map(({ channel_id }) => channel_id));
  return rows.map((row) =>
    rowOf(row, {
      username: names.of(row.username_id),
      token_name: names.of(row.token_name_id),
      model: names.of(row.model_id),
      group_name: names.of(row.group_id),
      program_name: names.of(row.program_id),
      channel_name: channels.of(row.channel_id),
    }),
  );
};

/** Periods without a gap between them are read together, until they have enough rows for a page. */
const joined = (stretches: readonly StretchCount[], rowsAtOnce: number): StretchCount[] => {
  const all: StretchCount[] = [];
  for (const older of stretches) {
    const newer = all.at(-1);
    if (newer === undefined || newer.rows >= rowsAtOnce || older.toMs + 1 !== newer.fromMs) all.push(older);
    else all[all.length - 1] = { ...newer, fromMs: older.fromMs, rows: newer.rows + older.rows };
  }
  return all;
};

/** All rows, each query sent before its rows are asked for: PostgreSQL works while the rows before are written. */
async function* readAhead(reading: Reading, stretches: readonly Span[]): AsyncGenerator<readonly FoundLog[]> {
  const send = (stretch: Span | undefined, last?: FoundLog) => {
    const sent = stretch && rowsAfter(reading, stretch, last);
    // Nobody waits yet: without this a failure would end the process.
    sent?.catch(() => {});
    return sent;
  };
  const older = stretches.values();
  let stretch = older.next().value;
  let next = send(stretch);
  try {
    while (next !== undefined) {
      const rows = await next;
      const isWhole = rows.length < reading.rows.rowsAtOnce;
      if (isWhole) stretch = older.next().value;
      next = send(stretch, isWhole ? undefined : rows.at(-1));
      yield rows;
    }
  } finally {
    // If the reader left, this query is still running.
    await next?.catch(() => {});
  }
}

/** Fills each page, even if every period has only a few rows: writing a page costs more than its rows do. */
async function* pagesOf(reading: Reading, stretches: readonly StretchCount[]) {
  const { rowsAtOnce } = reading.rows;
  const names = new Names(reading.reader, 'names');
  const channels = new Names(reading.reader, 'channels');
  let page: readonly FoundLog[] = [];
  for await (const rows of readAhead(reading, joined(stretches, rowsAtOnce))) {
    if (page.length + rows.length > rowsAtOnce) {
      yield await withNames(page, names, channels);
      page = rows;
    } else page = [...page, ...rows];
  }
  if (page.length > 0) yield await withNames(page, names, channels);
}

async function* only<Item>(item: Item): AsyncGenerator<Item> {
  yield await Promise.resolve(item);
}

/**
 * Exports all matching rows, read page by page on demand: only one page is in memory. They are read as `rows` does; the rows of
 * both ways are the same.
 */
export const exportLogs = async (
  reader: Kysely<Schema>,
  filter: LogExportFilter,
  rows = asObjects,
): Promise<LogExport> => {
  const numbers = await numbersOf(reader, filter);
  if (numbers === undefined) return { total: 0, pages: only([]) };
  if (filter.requestId !== undefined) {
    const { items } = await readLogPage(reader, filter, { page: 1, pageSize: 1 });
    return { total: items.length, pages: only(items) };
  }
  const stretches = await countByStretch(reader, numbers, spanOf(filter));
  const total = stretches.reduce((sum, stretch) => sum + stretch.rows, 0);
  const withDetails = filter.withDetails === true;
  return { total, pages: pagesOf({ reader, numbers, withDetails, rows }, stretches) };
};
