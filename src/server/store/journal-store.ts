import type { JournalKind } from '#core/ledger/ledger.ts';
import type { JournalStore } from '#core/wallet/journal-store.ts';
import type { Database } from './database.ts';
import { offsetOf } from './search.ts';

/** The journal in the database. */
export const createJournalStore = ({ reader }: Database): JournalStore => ({
  list: async (userId, page) => {
    const matching = reader.selectFrom('journal').where('user_id', '=', userId);
    const rows = await matching
      .selectAll()
      .orderBy('id', 'desc')
      .limit(page.pageSize)
      .offset(offsetOf(page))
      .execute();
    const { total } = await matching
      .select((is) => is.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const items = rows.map((row) => ({
      id: row.id,
      kind: row.kind as JournalKind,
      deltaUnits: row.delta,
      earnedUnits: row.earned,
      quotaAfterUnits: row.quota_after,
      reason: row.reason,
      createdAtMs: row.created_at,
    }));
    return { items, total };
  },
});
