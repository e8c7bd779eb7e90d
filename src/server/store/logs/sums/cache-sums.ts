import { type Kysely, type RawBuilder, sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { CacheBy, CacheShare, SessionShare, UsageFilter } from '#core/usage/usage-store.ts';
import type { Database } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';
import { whose } from './usage-filters.ts';
import { FEWEST, readSums } from './usage-totals.ts';
import { HOUR_MS } from '#core/time/spans.ts';

const DAY_HOURS = 24;

const times = { day: DAY_HOURS, hour: 1 } as const;

type Numbers<Name extends string> = Readonly<Record<Name, number | string>>;
type Sums = Numbers<'calls' | 'quota' | 'prompt' | 'cached' | 'saved'>;

/** PostgreSQL returns sums of integers as text. */
const sumsOf = ({ calls, quota, prompt, cached, saved }: Sums) => ({
  calls: Number(calls),
  quotaUnits: Number(quota),
  promptTokens: Number(prompt),
  cachedTokens: Number(cached),
  savedUnits: Number(saved),
});

/** Sums of charged calls by one dimension: time oldest first, others by prompt length, longest first. */
export const readCache = async (
  database: Database,
  by: CacheBy,
  filter: UsageFilter,
  limit: number,
): Promise<CacheShare[]> => {
  const hours = by === 'day' || by === 'hour' ? times[by] : undefined;
  const key = hours === undefined ? sql`key_id` : sql`hour / ${sql.lit(hours)}`;
  const modelId = by === 'model' ? sql`name_id` : sql`0`;
  const order = hours === undefined ? sql`u.prompt DESC, u.calls DESC, u.key` : sql`u.key`;
  const { rows } = await readSums(database, filter, (moment, rowsOf) =>
    sql<Sums & Numbers<'key'> & { readonly name: string | null }>`
      SELECT u.*, coalesce(c.name, m.name) AS name FROM (
        SELECT ${key} AS key, ${modelId} AS model_id, SUM(calls) AS calls, SUM(quota) AS quota,
          SUM(prompt_tokens) AS prompt, SUM(cached_tokens) AS cached, SUM(saved) AS saved
        FROM ${rowsOf(by === 'day' || by === 'hour' ? FEWEST : by)} WHERE type = ${sql.lit(logType.consume)} GROUP BY 1, 2
      ) u
      LEFT JOIN channels c ON ${by === 'channel' ? sql`c.id = u.key` : sql`1 = 0`}
      LEFT JOIN names m ON m.id = u.model_id
      ORDER BY ${order} LIMIT ${limit}`.execute(moment),
  );
  const lengthMs = hours === undefined ? 1 : hours * HOUR_MS;
  return rows.map((row) => ({ id: Number(row.key) * lengthMs, name: row.name ?? '', ...sumsOf(row) }));
};

/** The most recently used sessions are almost always among this many latest calls. */
const LATEST_CALLS = 20_000;

interface Used {
  readonly session: string;
  readonly user_id: number;
  readonly model_id: number;
  readonly used_at: number;
}

/** The most recently used sessions, each with a model: from the latest calls if that is certain, else from all. */
const latestSessions = async (
  reader: Kysely<Schema>,
  calls: RawBuilder<unknown>,
  limit: number,
  latestCalls: number,
): Promise<readonly Used[]> => {
  const among = async (
    latest: number | undefined,
  ): Promise<readonly (Used & { readonly oldest: number })[]> => {
    const few = latest === undefined ? sql`` : sql`ORDER BY created_at DESC LIMIT ${latest}`;
    const { rows } = await sql<Used & { readonly oldest: number }>`
      SELECT session, user_id, model_id, MAX(created_at) AS used_at, MIN(MIN(created_at)) OVER () AS oldest
      FROM (SELECT session, user_id, model_id, created_at FROM ${calls} ${few}) latest
      GROUP BY session, user_id, model_id ORDER BY used_at DESC, session, user_id, model_id LIMIT ${limit}`.execute(
      reader,
    );
    return rows;
  };
  const found = await among(latestCalls);
  const last = found.at(-1);
  // There may be more sessions at the oldest time that was read.
  const isCertain = found.length === limit && last !== undefined && last.used_at > last.oldest;
  return isCertain ? found : among(undefined);
};

/** The sessions that were used last. */
export const readSessions = async (
  { reader }: Database,
  filter: UsageFilter,
  limit: number,
  latestCalls = LATEST_CALLS,
): Promise<SessionShare[]> => {
  const calls = sql`logs
    WHERE session IS NOT NULL AND created_at >= ${filter.fromMs} AND created_at <= ${filter.toMs} ${whose(filter)}`;
  const latest = await latestSessions(reader, calls, limit, latestCalls);
  if (latest.length === 0) return [];
  const names = sql.join([...new Set(latest.map(({ session }) => session))]);
  // Totalled separately, because a month has many more sessions than are shown.
  const { rows } = await sql<
    Sums &
      Numbers<'used_at' | 'channels' | 'user_id' | 'model_id'> &
      Readonly<Record<'session' | 'model' | 'username', string | null>>
  >`
    SELECT s.*, m.name AS model, u.username AS username FROM (
      SELECT session, user_id, model_id, MAX(created_at) AS used_at, COUNT(DISTINCT channel_id) AS channels,
        COUNT(*) AS calls, SUM(quota) AS quota, SUM(prompt_tokens) AS prompt, SUM(cached_tokens) AS cached,
        SUM(saved) AS saved
      FROM ${calls} AND session IN (${names}) GROUP BY session, user_id, model_id
    ) s
    LEFT JOIN names m ON m.id = s.model_id LEFT JOIN users u ON u.id = s.user_id
    ORDER BY s.used_at DESC, s.session, s.user_id, s.model_id LIMIT ${limit}`.execute(reader);
  return rows.map((row) => ({
    session: row.session ?? '',
    model: row.model ?? '',
    username: row.username ?? '',
    usedAtMs: Number(row.used_at),
    channels: Number(row.channels),
    ...sumsOf(row),
  }));
};
