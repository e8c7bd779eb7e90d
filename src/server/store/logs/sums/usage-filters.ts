import { type RawBuilder, sql } from 'kysely';
import type { UsageFilter } from '#core/usage/usage-store.ts';
import { HOUR_MS } from '#core/time/spans.ts';

/** Matches everybody, or one user by id or name. */
export const whose = ({ userId, username }: UsageFilter): RawBuilder<unknown> => {
  const byId = userId === undefined ? sql`` : sql`AND user_id = ${userId}`;
  const byName =
    username === undefined ? sql`` : sql`AND user_id = (SELECT id FROM users WHERE username = ${username})`;
  return sql`${byId} ${byName}`;
};

/** The hours that overlap the span. */
export const hoursWithin = ({ fromMs, toMs }: Pick<UsageFilter, 'fromMs' | 'toMs'>): RawBuilder<unknown> =>
  sql`hour >= ${Math.floor(fromMs / HOUR_MS)} AND hour <= ${Math.floor(toMs / HOUR_MS)}`;
