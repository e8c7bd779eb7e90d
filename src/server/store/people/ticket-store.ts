import { sql } from 'kysely';
import type { TicketStore } from '#core/ticket-store.ts';
import { MOST_AHEAD_MS } from '#core/time/steady-time.ts';
import type { Database } from '../database/database.ts';

/** Tickets in the database. */
export const createTicketStore = ({ writer }: Database): TicketStore => ({
  put: async ({ kind, key, value, nowMs, expiresAtMs }) => {
    const fresh = { value, tries: 0, created_at: nowMs, expires_at: expiresAtMs };
    await writer
      .insertInto('tickets')
      .values({ kind, key, ...fresh })
      .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet(fresh))
      .execute();
  },
  claim: async ({ kind, key, value, nowMs, expiresAtMs }) => {
    const fresh = { value, tries: 0, created_at: nowMs, expires_at: expiresAtMs };
    const row = await writer
      .insertInto('tickets')
      .values({ kind, key, ...fresh })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'key']).doUpdateSet(fresh).where('tickets.expires_at', '<=', nowMs),
      )
      .returning('key')
      .executeTakeFirst();
    return row !== undefined;
  },
  madeAtMs: async (kind, key, nowMs) => {
    const row = await writer
      .selectFrom('tickets')
      .select('created_at')
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('expires_at', '>', nowMs)
      .where('created_at', '<=', nowMs + MOST_AHEAD_MS)
      .executeTakeFirst();
    return row?.created_at;
  },
  attempt: async (kind, key, maxTries, nowMs) => {
    const row = await writer
      .updateTable('tickets')
      .set({ tries: sql<number>`tries + 1` })
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('expires_at', '>', nowMs)
      .where('tries', '<', maxTries)
      .returning('value')
      .executeTakeFirst();
    return row?.value;
  },
  take: async (kind, key, nowMs) => {
    const row = await writer
      .deleteFrom('tickets')
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('expires_at', '>', nowMs)
      .returning('value')
      .executeTakeFirst();
    return row?.value;
  },
  deleteExpired: async (nowMs) => {
    await writer.deleteFrom('tickets').where('expires_at', '<=', nowMs).execute();
  },
});
