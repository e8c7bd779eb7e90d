import { sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { MarginBy, MarginFilter, MarginShare } from '#core/usage/usage-store.ts';
import type { Database } from '../database/database.ts';
import { HOUR_MS } from './usage-sums.ts';

const DAY_HOURS = 24;

/** What is summed by, and how long it lasts where it is a time; what it is called today, and in `names`. */
const dimensions = {
  channel: { key: sql`channel_id`, named: sql`SELECT id, name FROM channels`, wentBy: sql`0` },
  model: { key: sql`0`, named: undefined, wentBy: sql`model_id` },
  group: { key: sql`0`, named: undefined, wentBy: sql`group_id` },
  user: { key: sql`user_id`, named: sql`SELECT id, username AS name FROM users`, wentBy: sql`0` },
  // Only those without an id are told apart by the name they went by.
  token: {
    key: sql`token_id`,
    named: sql`SELECT id, name FROM tokens`,
    wentBy: sql`CASE WHEN token_id = 0 THEN token_name_id ELSE 0 END`,
  },
  day: {
    key: sql`hour / ${sql.lit(DAY_HOURS)}`,
    named: undefined,
    wentBy: sql`0`,
    lengthMs: DAY_HOURS * HOUR_MS,
  },
  hour: { key: sql`hour`, named: undefined, wentBy: sql`0`, lengthMs: HOUR_MS },
} as const;

const conditions = ({ fromMs, toMs, userId, username, channelId, tokenId, model, group }: MarginFilter) => {
  const idOf = (name: string) => sql`(SELECT id FROM names WHERE name = ${name})`;
  const given = [
    userId !== undefined && sql`user_id = ${userId}`,
    username !== undefined && sql`user_id = (SELECT id FROM users WHERE username = ${username})`,
    channelId !== undefined && sql`channel_id = ${channelId}`,
    tokenId !== undefined && sql`token_id = ${tokenId}`,
    model !== undefined && sql`model_id = ${idOf(model)}`,
    group !== undefined && sql`group_id = ${idOf(group)}`,
  ].flatMap((condition) => (condition === false ? [] : [condition]));
  const span = sql`type = ${logType.consume} AND hour >= ${Math.floor(fromMs / HOUR_MS)}
    AND hour <= ${Math.floor(toMs / HOUR_MS)}`;
  return sql.join([span, ...given], sql` AND `);
};

type Row = Readonly<
  Record<'key' | 'calls' | 'quota' | 'cost' | 'uncosted' | 'uncosted_quota', number | string>
> & {
  readonly name: string | null;
};

/** PostgreSQL gives sums of integers as text. */
const shareOf = (
  { key, name, calls, quota, cost, uncosted, uncosted_quota }: Row,
  lengthMs: number,
): MarginShare => ({
  id: Number(key) * lengthMs,
  name: name ?? '',
  calls: Number(calls),
  quotaUnits: Number(quota),
  costNano: Number(cost),
  uncosted: Number(uncosted),
  uncostedQuotaUnits: Number(uncosted_quota),
});

/** Sums of charged calls and of what they cost, by one dimension. */
export const readMargin = async (
  { reader }: Database,
  by: MarginBy,
  filter: MarginFilter,
  limit: number,
): Promise<MarginShare[]> => {
  const { key, named, wentBy, ...time } = dimensions[by];
  const nothing = sql`SELECT 0 AS id, NULL AS name WHERE 1 = 0`;
  const order = 'lengthMs' in time ? sql`u.key` : sql`u.quota DESC, u.calls DESC, u.key`;
  const { rows } = await sql<Row>`
    SELECT u.*, coalesce(n.name, w.name) AS name FROM (
      SELECT ${key} AS key, ${wentBy} AS went_by, SUM(calls) AS calls, SUM(quota) AS quota, SUM(cost) AS cost,
        SUM(uncosted_calls) AS uncosted, SUM(uncosted_quota) AS uncosted_quota
      FROM usage_hours WHERE ${conditions(filter)} GROUP BY 1, 2
    ) u
    LEFT JOIN (${named ?? nothing}) n ON n.id = u.key LEFT JOIN names w ON w.id = u.went_by
    ORDER BY ${order} LIMIT ${limit}`.execute(reader);
  return rows.map((row) => shareOf(row, 'lengthMs' in time ? time.lengthMs : 1));
};
