import { sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { CacheBy, CacheShare, SessionShare, UsageFilter } from '#core/usage/usage-store.ts';
import type { Database } from '../database/database.ts';
import { hoursWithin, whose } from './usage-filters.ts';
import { HOUR_MS } from './usage-sums.ts';

const DAY_HOURS = 24;

/** What is summed by, and how long it lasts where it is a time. */
const dimensions = {
  channel: { key: sql`channel_id`, modelId: sql`0`, lengthMs: 1 },
  model: { key: sql`0`, modelId: sql`model_id`, lengthMs: 1 },
  day: { key: sql`hour / ${sql.lit(DAY_HOURS)}`, modelId: sql`0`, lengthMs: DAY_HOURS * HOUR_MS },
  hour: { key: sql`hour`, modelId: sql`0`, lengthMs: HOUR_MS },
} as const;

type Numbers<Name extends string> = Readonly<Record<Name, number | string>>;
type Sums = Numbers<'calls' | 'quota' | 'prompt' | 'cached' | 'saved'>;

/** PostgreSQL gives sums of integers as text. */
const sumsOf = ({ calls, quota, prompt, cached, saved }: Sums) => ({
  calls: Number(calls),
  quotaUnits: Number(quota),
  promptTokens: Number(prompt),
  cachedTokens: Number(cached),
  savedUnits: Number(saved),
});

/** Sums of charged calls by one dimension: times oldest first, else those with the longest prompts first. */
export const readCache = async (
  { reader }: Database,
  by: CacheBy,
  filter: UsageFilter,
  limit: number,
): Promise<CacheShare[]> => {
  const { key, modelId, lengthMs } = dimensions[by];
  const order = lengthMs === 1 ? sql`u.prompt DESC, u.calls DESC, u.key` : sql`u.key`;
  const { rows } = await sql<Sums & Numbers<'key'> & { readonly name: string | null }>`
    SELECT u.*, coalesce(c.name, m.name) AS name FROM (
      SELECT ${key} AS key, ${modelId} AS model_id, SUM(calls) AS calls, SUM(quota) AS quota,
        SUM(prompt_tokens) AS prompt, SUM(cached_tokens) AS cached, SUM(saved) AS saved
      FROM usage_hours
      WHERE type = ${logType.consume} AND ${hoursWithin(filter)} ${whose(filter)}
      GROUP BY 1, 2
    ) u
    LEFT JOIN channels c ON ${by === 'channel' ? sql`c.id = u.key` : sql`1 = 0`}
    LEFT JOIN names m ON m.id = u.model_id
    ORDER BY ${order} LIMIT ${limit}`.execute(reader);
  return rows.map((row) => ({ id: Number(row.key) * lengthMs, name: row.name ?? '', ...sumsOf(row) }));
};

/** The sessions that were used last. */
export const readSessions = async (
  { reader }: Database,
  filter: UsageFilter,
  limit: number,
): Promise<SessionShare[]> => {
  const { rows } = await sql<
    Sums & Numbers<'used_at' | 'channels'> & Readonly<Record<'session' | 'model' | 'username', string | null>>
  >`
    SELECT s.*, m.name AS model, u.username AS username FROM (
      SELECT session, user_id, model_id, MAX(created_at) AS used_at, COUNT(DISTINCT channel_id) AS channels,
        COUNT(*) AS calls, SUM(quota) AS quota, SUM(prompt_tokens) AS prompt, SUM(cached_tokens) AS cached,
        SUM(saved) AS saved
      FROM logs
      WHERE session IS NOT NULL AND created_at >= ${filter.fromMs} AND created_at <= ${filter.toMs} ${whose(filter)}
      GROUP BY session, user_id, model_id ORDER BY used_at DESC, session LIMIT ${limit}
    ) s
    LEFT JOIN names m ON m.id = s.model_id LEFT JOIN users u ON u.id = s.user_id
    ORDER BY s.used_at DESC, s.session`.execute(reader);
  return rows.map((row) => ({
    session: row.session ?? '',
    model: row.model ?? '',
    username: row.username ?? '',
    usedAtMs: Number(row.used_at),
    channels: Number(row.channels),
    ...sumsOf(row),
  }));
};
