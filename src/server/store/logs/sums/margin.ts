import { sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { MarginBy, MarginFilter, MarginShare } from '#core/usage/usage-store.ts';
import type { Database } from '../../database/database.ts';
import { FEWEST, readSums } from './usage-totals.ts';
import { HOUR_MS } from '#core/time/spans.ts';

const DAY_HOURS = 24;

const times = { day: DAY_HOURS, hour: 1 } as const;

/** The current names of rows identified by id. */
const named = {
  channel: sql`SELECT id, name FROM channels`,
  user: sql`SELECT id, username AS name FROM users`,
  token: sql`SELECT id, name FROM tokens`,
} as const;
const nothing = sql`SELECT 0 AS id, NULL AS name WHERE 1 = 0`;

const conditions = ({ channelId, tokenId, model, group }: MarginFilter) => {
  const idOf = (name: string) => sql`(SELECT id FROM names WHERE name = ${name})`;
  return [
    channelId !== undefined && sql`channel_id = ${channelId}`,
    tokenId !== undefined && sql`token_id = ${tokenId}`,
    model !== undefined && sql`model_id = ${idOf(model)}`,
    group !== undefined && sql`group_id = ${idOf(group)}`,
  ].flatMap((condition) => (condition === false ? [] : [condition]));
};

type Row = Readonly<
  Record<'key' | 'calls' | 'quota' | 'cost' | 'uncosted' | 'uncosted_quota', number | string>
> & {
  readonly name: string | null;
};

/** PostgreSQL returns sums of integers as text. */
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

/** Sums of charged calls and of their costs, by one dimension. */
export const readMargin = async (
  database: Database,
  by: MarginBy,
  filter: MarginFilter,
  limit: number,
): Promise<MarginShare[]> => {
  const hours = by === 'day' || by === 'hour' ? times[by] : undefined;
  const key = hours === undefined ? sql`key_id` : sql`hour / ${sql.lit(hours)}`;
  const name = hours === undefined ? sql`name_id` : sql`0`;
  const order = hours === undefined ? sql`u.quota DESC, u.calls DESC, u.key` : sql`u.key`;
  const today = by === 'channel' || by === 'user' || by === 'token' ? named[by] : nothing;
  const { rows } = await readSums(
    database,
    filter,
    (moment, rowsOf) =>
      sql<Row>`
        SELECT u.*, coalesce(n.name, w.name) AS name FROM (
          SELECT ${key} AS key, ${name} AS went_by, SUM(calls) AS calls, SUM(quota) AS quota, SUM(cost) AS cost,
            SUM(uncosted_calls) AS uncosted, SUM(uncosted_quota) AS uncosted_quota
          FROM ${rowsOf(by === 'day' || by === 'hour' ? FEWEST : by)} WHERE type = ${sql.lit(logType.consume)} GROUP BY 1, 2
        ) u
        LEFT JOIN (${today}) n ON n.id = u.key LEFT JOIN names w ON w.id = u.went_by
        ORDER BY ${order} LIMIT ${limit}`.execute(moment),
    conditions(filter),
  );
  return rows.map((row) => shareOf(row, hours === undefined ? 1 : hours * HOUR_MS));
};
