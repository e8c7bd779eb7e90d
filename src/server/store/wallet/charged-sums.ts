import { type Kysely, sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { ChargedSums, SumsFilter } from '#core/wallet/statement-store.ts';
import { monthSpan } from '#core/wallet/statement.ts';
import type { Schema } from '../database/schema.ts';
import { countsOf, usedCounts, type UsedSums } from '../logs/used-counts.ts';
import { isOfStretch } from '../people/token-tags.ts';
import { HOUR_MS } from '#core/time/spans.ts';

type Sums = UsedSums & Readonly<Record<'user_id' | 'token_id' | 'all_calls' | 'all_quota', number | string>>;

const none = { tag: sql`''`, joined: sql`` };

/** For each kind of sum, what its lines are grouped by and where their names are from. */
const kinds = {
  user: {
    ...none,
    tokenId: sql`0`,
    name: sql`n.username`,
    named: sql`LEFT JOIN users n ON n.id = s.user_id`,
  },
  token: {
    ...none,
    tokenId: sql`u.token_id`,
    name: sql`n.name`,
    named: sql`LEFT JOIN tokens n ON n.id = s.token_id`,
  },
  tag: {
    tag: sql`coalesce(g.tag, '')`,
    joined: sql`LEFT JOIN token_tags g ON ${isOfStretch}`,
    tokenId: sql`0`,
    name: sql`s.tag`,
    named: sql``,
  },
} as const;

/** The sums of a month and their total, read in one statement so that both are of the same moment. */
export const readSums = async (
  reader: Kysely<Schema>,
  { userId, by, month, most }: SumsFilter,
): Promise<ChargedSums> => {
  const { fromMs, toMs } = monthSpan(month);
  const { tag, joined, tokenId, name, named } = kinds[by];
  const ofUser = userId === undefined ? sql`` : sql`AND u.user_id = ${userId}`;
  const { rows } = await sql<Sums & { readonly name: string | null }>`
    WITH sums AS (
      SELECT u.user_id, ${tokenId} AS token_id, ${tag} AS tag, ${usedCounts}
      FROM usage_hours u ${joined}
      WHERE u.type = ${logType.consume} AND u.hour >= ${fromMs / HOUR_MS} AND u.hour < ${toMs / HOUR_MS} ${ofUser}
      GROUP BY 1, 2, 3
    )
    SELECT s.*, ${name} AS name, (SELECT sum(calls) FROM sums) AS all_calls, (SELECT sum(quota) FROM sums) AS all_quota
    FROM sums s ${named} ORDER BY s.quota DESC, s.user_id, s.token_id, s.tag LIMIT ${most}`.execute(reader);
  return {
    lines: rows.map((row) => ({
      userId: Number(row.user_id),
      tokenId: Number(row.token_id),
      name: row.name ?? '',
      ...countsOf(row),
    })),
    totalUnits: Number(rows[0]?.all_quota ?? 0),
    totalCalls: Number(rows[0]?.all_calls ?? 0),
  };
};
