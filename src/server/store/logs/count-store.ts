import { type ExpressionBuilder, type OnConflictDatabase, type OnConflictTables, sql } from 'kysely';
import type { CountStore } from '#core/limits/count-store.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

type Known = ExpressionBuilder<OnConflictDatabase<Schema, 'limit_counts'>, OnConflictTables<'limit_counts'>>;

/** Counts in the database with one statement each, so that none of several concurrent counts is lost. */
export const createCountStore = ({ writer }: Database): CountStore => ({
  count: async (key, windowMs, nowMs) => {
    const endsAt = nowMs + windowMs;
    // A window that ends later than possible comes from a clock that was set back: it counts as over.
    const impossible = endsAt + windowMs;
    const isOver = (known: Known) =>
      known.or([known('limit_counts.ends_at', '<=', nowMs), known('limit_counts.ends_at', '>', impossible)]);
    const row = await writer
      .insertInto('limit_counts')
      .values({ key, count: 1, ends_at: endsAt })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((known) => ({
          count: known
            .case()
            .when(isOver(known))
            .then(sql<number>`1`)
            .else(sql<number>`limit_counts.count + 1`)
            .end(),
          ends_at: known
            .case()
            .when(isOver(known))
            .then(known.ref('excluded.ends_at'))
            .else(known.ref('limit_counts.ends_at'))
            .end(),
        })),
      )
      .returning(['count', 'ends_at'])
      .executeTakeFirstOrThrow();
    return { count: row.count, endsAtMs: row.ends_at };
  },
  uncount: async (key) => {
    await writer
      .updateTable('limit_counts')
      .set((known) => ({ count: known('count', '-', 1) }))
      .where('key', '=', key)
      .where('count', '>', 0)
      .execute();
  },
  forget: async (key) => {
    await writer.deleteFrom('limit_counts').where('key', '=', key).execute();
  },
  deleteEnded: async (nowMs) => {
    await writer.deleteFrom('limit_counts').where('ends_at', '<=', nowMs).execute();
  },
});
