import { sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { ChannelHour, UsageFilter, UsageHour, UsageShare, UsageStore } from '#core/usage/usage-store.ts';
import type { Database } from '../../database/database.ts';
import { readCache, readSessions } from './cache-sums.ts';
import { readHoursBy, readKeySums } from './key-sums.ts';
import { readMargin } from './margin.ts';
import { readSums } from './usage-totals.ts';
import { HOUR_MS } from '#core/time/spans.ts';

const charged = sql`type = ${sql.lit(logType.consume)}`;
const sums = sql`SUM(calls) AS calls, SUM(quota) AS quota, SUM(prompt_tokens + completion_tokens) AS tokens`;

interface Sums {
  readonly name: string | null;
  readonly calls: number | string;
  readonly quota: number | string;
  readonly tokens: number | string;
}

/** PostgreSQL returns sums of integers as text. */
const shareOf = ({ name, calls, quota, tokens }: Sums): Omit<UsageShare, 'id'> => ({
  name: name ?? '',
  calls: Number(calls),
  quotaUnits: Number(quota),
  tokens: Number(tokens),
});

const hours = async (database: Database, filter: UsageFilter): Promise<UsageHour[]> => {
  const { rows } = await readSums(database, filter, (moment, rowsOf) =>
    sql<Sums & { hour: number }>`
      SELECT u.hour AS hour, n.name AS name, u.calls AS calls, u.quota AS quota, u.tokens AS tokens
      FROM (SELECT hour, name_id, ${sums} FROM ${rowsOf('model')} WHERE ${charged} GROUP BY hour, name_id) u
      LEFT JOIN names n ON n.id = u.name_id ORDER BY u.hour, n.name`.execute(moment),
  );
  return rows.map((row) => {
    const { name, ...rest } = shareOf(row);
    return { model: name, hourMs: Number(row.hour) * HOUR_MS, ...rest };
  });
};

const channels = async (
  database: Database,
  { fromMs, toMs, ids }: Parameters<UsageStore['channels']>[0],
  limit: number,
): Promise<ChannelHour[]> => {
  const isNamed = ids === undefined ? sql`key_id > 0` : sql`key_id IN (${sql.join(ids)})`;
  const callsOf = (type: number) => sql`SUM(CASE WHEN type = ${type} THEN calls ELSE 0 END)`;
  const { rows } = await readSums(database, { fromMs, toMs }, (moment, rowsOf) =>
    sql<Readonly<Record<'channel' | 'hour' | 'answered' | 'failed', number | string>>>`
      SELECT key_id AS channel, hour, ${callsOf(logType.consume)} AS answered, ${callsOf(logType.error)} AS failed
      FROM ${rowsOf('channel')} WHERE ${isNamed}
      GROUP BY key_id, hour ORDER BY key_id, hour LIMIT ${limit}`.execute(moment),
  );
  return rows.map(({ channel, hour, answered, failed }) => ({
    channelId: Number(channel),
    hourMs: Number(hour) * HOUR_MS,
    answered: Number(answered),
    failed: Number(failed),
  }));
};

const top = async (
  database: Database,
  by: 'user' | 'token',
  filter: UsageFilter,
  limit: number,
): Promise<UsageShare[]> => {
  const named =
    by === 'user' ? sql`SELECT id, username AS name FROM users` : sql`SELECT id, name FROM tokens`;
  const { rows } = await readSums(database, filter, (moment, rowsOf) =>
    sql<Sums & { key: number | string }>`
      SELECT u.key_id AS key, coalesce(n.name, w.name) AS name, u.calls AS calls, u.quota AS quota, u.tokens AS tokens
      FROM (SELECT key_id, name_id, ${sums} FROM ${rowsOf(by)} WHERE ${charged} GROUP BY key_id, name_id) u
      LEFT JOIN (${named}) n ON n.id = u.key_id LEFT JOIN names w ON w.id = u.name_id
      ORDER BY u.quota DESC, u.calls DESC, u.key_id LIMIT ${limit}`.execute(moment),
  );
  return rows.map((row) => ({ id: Number(row.key), ...shareOf(row) }));
};

/** Usage sums in the database. */
export const createUsageStore = (database: Database): UsageStore => ({
  hours: (filter) => hours(database, filter),
  hoursBy: (by, filter, largest) => readHoursBy(database, by, filter, largest),
  keySums: (filter) => readKeySums(database, filter),
  channels: (span, limit) => channels(database, span, limit),
  margin: (by, filter, limit) => readMargin(database, by, filter, limit),
  cache: (by, filter, limit) => readCache(database, by, filter, limit),
  sessions: (filter, limit) => readSessions(database, filter, limit),
  top: (by, filter, limit) => top(database, by, filter, limit),
});
