import type { OpOutcome } from '#core/ledger/apply-ops.ts';
import type { LedgerOp } from '#core/ledger/book.ts';

const CHECKPOINT_DELAY_MS = 250;

/** Checkpoints of calls still open, written a few times a second; a call that ends sooner never pays for one. */
export const lazyCheckpoints = (write: (op: LedgerOp) => Promise<OpOutcome>) => {
  const pending = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const due = [...pending];
    pending.clear();
    await Promise.all(due.map(([id, quotaUnits]) => write({ op: 'checkpoint', id, quotaUnits })));
  };
  return {
    flush,
    forget: (id: string) => void pending.delete(id),
    add: (id: string, quotaUnits: number) => {
      pending.set(id, Math.max(quotaUnits, pending.get(id) ?? 0));
      // A database that is away keeps no checkpoints; the next one of the same call writes it all again.
      timer ??= setTimeout(() => void flush().catch(() => {}), CHECKPOINT_DELAY_MS);
    },
  };
};
