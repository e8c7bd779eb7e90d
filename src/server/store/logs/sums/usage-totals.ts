import { type Kysely, type RawBuilder, sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { UsageFilter } from '#core/usage/usage-store.ts';
import type { Database } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';
import { hoursWithin, whose } from './usage-filters.ts';
import { HOUR_MS } from '#core/time/spans.ts';

// A month of everybody's hourly sums may be a million rows. Finished hours are totalled once per dimension
// (hour-totals-store.ts), which leaves some thousand rows; other hours are read as they are.

/**
 * The dimensions of views: by an id, or by a name stored in `names`. A token is identified by its id, or by its name if
 * it has none.
 */
export const dimensions = {
  channel: { key: 'channel_id', name: '0' },
  user: { key: 'user_id', name: '0' },
  token: { key: 'token_id', name: 'CASE WHEN token_id = 0 THEN token_name_id ELSE 0 END' },
  model: { key: '0', name: 'model_id' },
  group: { key: '0', name: 'group_id' },
  program: { key: '0', name: 'program_id' },
} as const;
export type Dimension = keyof typeof dimensions;

/** The dimension with the fewest rows per hour, for views that only depend on time. */
export const FEWEST = 'group';

/** The summed columns, in both tables. */
export const ADDED = [
  'calls',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'cost',
  'uncosted_calls',
  'uncosted_quota',
  'cached_tokens',
  'saved',
] as const;
const added = sql.join(ADDED.map((column) => sql.ref(column)));

/** Calls, answered or failed; events are not part of any view. */
export const IS_CALL = `type IN (${logType.consume}, ${logType.error})`;

/** The first and last of some consecutive hours. */
interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** The most stretches listed one by one; beyond them, everything from the first to the last is read as it is. */
const MOST_STRETCHES = 8;

/** The hours of a span without totals, given those with totals, in order. */
const openStretches = (span: Stretch, totalled: readonly number[]): readonly Stretch[] => {
  const stretches: Stretch[] = [];
  let next = span.first;
  for (const hour of totalled) {
    if (hour > next) stretches.push({ first: next, last: hour - 1 });
    next = hour + 1;
  }
  if (next <= span.last) stretches.push({ first: next, last: span.last });
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (stretches.length <= MOST_STRETCHES || first === undefined || last === undefined) return stretches;
  return [{ first: first.first, last: last.last }];
};

/**
 * Rows of a dimension to select from: `hour`, `type`, `key_id`, `name_id` and the summed columns; several rows may have
 * the same key.
 */
export type RowsOf = (dimension: Dimension) => RawBuilder<unknown>;

const asTheyAre = (dimension: Dimension, where: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { key, name } = dimensions[dimension];
  return sql`SELECT hour, type, ${sql.raw(key)} AS key_id, ${sql.raw(name)} AS name_id, ${added} FROM usage_hours
    WHERE ${sql.raw(IS_CALL)} AND ${where}`;
};

const within = ({ first, last }: Stretch) => sql`hour BETWEEN ${first} AND ${last}`;

const withTotals =
  (span: Stretch, open: readonly Stretch[]): RowsOf =>
  (dimension) => {
    const isOver = sql.join([within(span), ...open.map((hours) => sql`NOT (${within(hours)})`)], sql` AND `);
    const totals = sql`SELECT hour, type, key_id, name_id, ${added} FROM usage_totals
      WHERE dimension = ${sql.lit(dimension)} AND ${isOver}`;
    const all = [totals, ...open.map((hours) => asTheyAre(dimension, within(hours)))];
    return sql`(${sql.join(all, sql` UNION ALL `)}) each_row`;
  };

/** The list of totalled hours and their totals must come from one snapshot. */
const atOneMoment = <Result>(
  { engine, reader }: Database,
  read: (moment: Kysely<Schema>) => Promise<Result>,
): Promise<Result> => {
  const moment = reader.transaction();
  return engine === 'sqlite'
    ? moment.execute(read)
    : moment.setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
};

/**
 * Reads hourly sums for a filter and `more` conditions on `usage_hours`. For all users, it uses totals as far as they
 * exist; the results are the same.
 */
export const readSums = <Result>(
  database: Database,
  filter: UsageFilter,
  read: (moment: Kysely<Schema>, rowsOf: RowsOf) => Promise<Result>,
  more: readonly RawBuilder<unknown>[] = [],
): Promise<Result> => {
  if (filter.userId !== undefined || filter.username !== undefined || more.length > 0) {
    const where = sql`${sql.join([hoursWithin(filter), ...more], sql` AND `)} ${whose(filter)}`;
    return read(database.reader, (dimension) => sql`(${asTheyAre(dimension, where)}) each_row`);
  }
  const span = { first: Math.floor(filter.fromMs / HOUR_MS), last: Math.floor(filter.toMs / HOUR_MS) };
  return atOneMoment(database, async (moment) => {
    const ready = await moment
      .selectFrom('totalled_hours')
      .select('hour')
      .where('hour', '>=', span.first)
      .where('hour', '<=', span.last)
      .where('is_ready', '=', 1)
      .orderBy('hour')
      .execute();
    const totalled = ready.map(({ hour }) => hour);
    return read(moment, withTotals(span, openStretches(span, totalled)));
  });
};
