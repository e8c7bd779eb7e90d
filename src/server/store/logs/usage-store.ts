import { sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { ChannelHour, UsageFilter, UsageHour, UsageShare, UsageStore } from '#core/usage/usage-store.ts';
import type { Database } from '../database/database.ts';
import { readCache, readSessions } from './cache-sums.ts';
import { readHoursBy, readKeySums } from './key-sums.ts';
import { readMargin } from './margin.ts';
import { HOUR_MS } from './usage-sums.ts';

const charged = ({ fromMs, toMs, userId, username }: UsageFilter) => {
  const byId = userId === undefined ? sql`` : sql`AND user_id = ${userId}`;
  const byName =
    username === undefined ? sql`` : sql`AND user_id = (SELECT id FROM users WHERE username = ${username})`;
  return sql`type = ${logType.consume} AND hour >= ${Math.floor(fromMs / HOUR_MS)}
    AND hour <= ${Math.floor(toMs / HOUR_MS)} ${byId} ${byName}`;
};

const sums = sql`SUM(calls) AS calls, SUM(quota) AS quota, SUM(prompt_tokens + completion_tokens) AS tokens`;

interface Sums {
  readonly name: string | null;
  readonly calls: number | string;
  readonly quota: number | string;
  readonly tokens: number | string;
}

/** PostgreSQL gives sums of integers as text. */
const shareOf = ({ name, calls, quota, tokens }: Sums): Omit<UsageShare, 'id'> => ({
  name: name ?? '',
  calls: Number(calls),
  quotaUnits: Number(quota),
  tokens: Number(tokens),
});

const hours = async ({ reader }: Database, filter: UsageFilter): Promise<UsageHour[]> => {
  const { rows } = await sql<Sums & { hour: number }>`
    SELECT u.hour AS hour, n.name AS name, u.calls AS calls, u.quota AS quota, u.tokens AS tokens
    FROM (SELECT hour, model_id, ${sums} FROM usage_hours WHERE ${charged(filter)} GROUP BY hour, model_id) u
    LEFT JOIN names n ON n.id = u.model_id ORDER BY u.hour, n.name`.execute(reader);
  return rows.map((row) => {
    const { name, ...rest } = shareOf(row);
    return { model: name, hourMs: Number(row.hour) * HOUR_MS, ...rest };
  });
};

const channels = async (
  { reader }: Database,
  { fromMs, toMs, ids }: Parameters<UsageStore['channels']>[0],
  limit: number,
): Promise<ChannelHour[]> => {
  const isNamed = ids === undefined ? sql`channel_id > 0` : sql`channel_id IN (${sql.join(ids)})`;
  const callsOf = (type: number) => sql`SUM(CASE WHEN type = ${type} THEN calls ELSE 0 END)`;
  const { rows } = await sql<Readonly<Record<'channel' | 'hour' | 'answered' | 'failed', number | string>>>`
    SELECT channel_id AS channel, hour, ${callsOf(logType.consume)} AS answered, ${callsOf(logType.error)} AS failed
    FROM usage_hours
    WHERE hour >= ${Math.floor(fromMs / HOUR_MS)} AND hour <= ${Math.floor(toMs / HOUR_MS)}
      AND type IN (${logType.consume}, ${logType.error}) AND ${isNamed}
    GROUP BY channel_id, hour ORDER BY channel_id, hour LIMIT ${limit}`.execute(reader);
  return rows.map(({ channel, hour, answered, failed }) => ({
    channelId: Number(channel),
    hourMs: Number(hour) * HOUR_MS,
    answered: Number(answered),
    failed: Number(failed),
  }));
};

const top = async (
  { reader }: Database,
  by: 'user' | 'token',
  filter: UsageFilter,
  limit: number,
): Promise<UsageShare[]> => {
  // A token is its id, whatever it was called; only those without one are told apart by the name they went by.
  const who =
    by === 'user'
      ? sql`user_id AS key, 0`
      : sql`token_id AS key, CASE WHEN token_id = 0 THEN token_name_id ELSE 0 END`;
  const named =
    by === 'user' ? sql`SELECT id, username AS name FROM users` : sql`SELECT id, name FROM tokens`;
  const { rows } = await sql<Sums & { key: number | string }>`
    SELECT u.key AS key, coalesce(n.name, w.name) AS name, u.calls AS calls, u.quota AS quota, u.tokens AS tokens
    FROM (SELECT ${who} AS went_by, ${sums} FROM usage_hours WHERE ${charged(filter)} GROUP BY 1, 2) u
    LEFT JOIN (${named}) n ON n.id = u.key LEFT JOIN names w ON w.id = u.went_by
    ORDER BY u.quota DESC, u.calls DESC, u.key LIMIT ${limit}`.execute(reader);
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
