import { type Kysely, sql } from 'kysely';
import { monthOf, monthSpan } from '#core/wallet/statement.ts';
import type { Schema } from '../database/schema.ts';
import { HOUR_MS } from '#core/time/spans.ts';

/** The end of a period that is still open. */
const OPEN_HOUR = Number.MAX_SAFE_INTEGER;

/**
 * Stores that a token has this tag from the start of this month on; '' means none. Finished months keep theirs. The
 * caller must hold the token's row lock.
 */
export const keepTag = async (
  transaction: Kysely<Schema>,
  token: { readonly id: number; readonly userId: number; readonly tag: string },
  nowMs: number,
): Promise<void> => {
  const stretches = await transaction
    .selectFrom('token_tags')
    .selectAll()
    .where('token_id', '=', token.id)
    .execute();
  const open = stretches.find(({ until_hour }) => until_hour === OPEN_HOUR);
  if ((open?.tag ?? '') === token.tag) return;
  const closed = stretches.flatMap(({ until_hour }) => (until_hour === OPEN_HOUR ? [] : [until_hour]));
  // A clock that was set back must not give a token two tags at once.
  const fromHour = Math.max(monthSpan(monthOf(nowMs)).fromMs / HOUR_MS, open?.from_hour ?? 0, ...closed);
  const ofOpen = <Query extends { where(column: 'token_id' | 'until_hour', is: '=', value: number): Query }>(
    query: Query,
  ): Query => query.where('token_id', '=', token.id).where('until_hour', '=', OPEN_HOUR);
  if (open?.from_hour === fromHour) await ofOpen(transaction.deleteFrom('token_tags')).execute();
  else if (open !== undefined)
    await ofOpen(transaction.updateTable('token_tags').set({ until_hour: fromHour })).execute();
  if (token.tag === '') return;
  await transaction
    .insertInto('token_tags')
    .values({
      token_id: token.id,
      from_hour: fromHour,
      until_hour: OPEN_HOUR,
      user_id: token.userId,
      tag: token.tag,
    })
    .execute();
};

/** The condition that an hour of usage (`u`) is in a period in which its token had a tag (`g`). */
export const isOfStretch = sql`g.token_id = u.token_id AND u.hour >= g.from_hour AND u.hour < g.until_hour`;
