import type { Pool } from 'pg';
import type { LedgerOp } from '#core/ledger/book.ts';

export const createPostgresLedger =
  (_pool: Pool): ((ops: readonly LedgerOp[]) => Promise<readonly unknown[]>) =>
  async () => {
    throw new Error('not here yet');
  };
