import type { JournalKind } from '#core/ledger/ledger.ts';
import type { JournalStore } from '#core/wallet/journal-store.ts';
import type { Database } from '../database/database.ts';
import { onePage } from '../database/one-page.ts';
import type { JournalRecord } from '../database/schema.ts';

const entryOf = (row: JournalRecord) => ({
  id: row.id,
  kind: row.kind as JournalKind,
  deltaUnits: row.delta,
  earnedUnits: row.earned,
  quotaAfterUnits: row.quota_after,
  reason: row.reason,
  createdAtMs: row.created_at,
});

/** The journal in the database. */
export const createJournalStore = ({ reader }: Database): JournalStore => ({
  list: (userId, page) =>
    onePage(reader.selectFrom('journal').selectAll().where('user_id', '=', userId), page, entryOf),
});
