import { type Kysely, type RawBuilder, sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { UsageFilter } from '#core/usage/usage-store.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { hoursWithin, whose } from './usage-filters.ts';
import { HOUR_MS } from './usage-sums.ts';

/*
 * A month of everybody's hourly sums may be a million rows. Of hours that are over they are added up once by each dimension
 * (hour-totals-store.ts), which leaves some thousand; hours that are not are read as they are.
 */

/** What views tell apart: by an id, or by a name that is kept in `names`. A token is its id; only those without one are their name. */
export const dimensions = {
  channel: { key: 'channel_id', name: '0' },
  user: { key: 'user_id', name: '0' },
  token: { key: 'token_id', name: 'CASE WHEN token_id = 0 THEN token_name_id ELSE 0 END' },
  model: { key: '0', name: 'model_id' },
  group: { key: '0', name: 'group_id' },
  program: { key: '0', name: 'program_id' },
} as const;
export type Dimension = keyof typeof dimensions;

/** Has the fewest rows of an hour: for views that tell nothing apart but time. */
export const FEWEST = 'group';

/** What is added up of each, in both tables. */
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

/** Calls, answered and failed; events have no part in any view. */
export const IS_CALL = `type IN (${logType.consume}, ${logType.error})`;

/** The first and the last of some hours that follow one another. */
interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** So many are named one by one; beyond them all between the first and the last are read as they are. */
const MOST_STRETCHES = 8;

/** The hours of a span that are not added up, given those that are, in their order. */
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

/** Rows of a dimension to select from: `hour`, `type`, `key_id`, `name_id` and what is added up; several may have the same key. */
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

/** Which hours are totalled, and their totals, have to be of one moment. */
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
 * Reads hourly sums of a filter and of `more` conditions on `usage_hours`. What is asked of everybody is read from totals as far as
 * there are any, to the same sums.
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
