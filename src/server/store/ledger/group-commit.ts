import { AppError, unavailable } from '#core/error.ts';
import type { FailedOp, OpOutcome } from '#core/ledger/apply-ops.ts';
import type { LedgerOp } from '#core/ledger/book.ts';
import type { Database } from '../database/database.ts';

/** Further operations wait for the next transaction, so that one batch stays well under the time a call may notice. */
const BATCH_MAX = 256;

/**
 * Turns of the event loop during which others may join a small batch, because waking the database is most of its cost.
 */
const TURNS_OPEN = 2;
/** A batch of this size does not wait for more. */
const BATCH_ENOUGH = 16;

interface Queued {
  readonly op: LedgerOp;
  readonly resolve: (outcome: OpOutcome) => void;
  readonly reject: (error: AppError) => void;
}

const hasFailed = (outcome: OpOutcome | FailedOp): outcome is FailedOp =>
  typeof outcome === 'object' && 'failed' in outcome;

const settleBatch = (batch: readonly Queued[], outcomes: readonly (OpOutcome | FailedOp)[]): void => {
  batch.forEach(({ resolve, reject }, at) => {
    const outcome = outcomes[at];
    if (outcome === undefined) reject(unavailable(new Error('no outcome')));
    else if (hasFailed(outcome)) reject(unavailable(new Error(outcome.failed)));
    else resolve(outcome);
  });
};

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Combines all operations that arrive within two turns of the event loop, or during a batch, into the next batch. */
export const groupCommit = (run: Database['runLedger']) => {
  let queue: Queued[] = [];
  let running: Promise<void> | undefined;
  let isFailing = false;

  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      for (let turn = 0; turn < TURNS_OPEN && queue.length < BATCH_ENOUGH; turn++) await endOfTurn();
      const batch = queue.slice(0, BATCH_MAX);
      queue = queue.slice(BATCH_MAX);
      try {
        const outcomes = await run(batch.map(({ op }) => op));
        isFailing = outcomes.some(hasFailed);
        settleBatch(batch, outcomes);
      } catch (thrown) {
        isFailing = true;
        const error = thrown instanceof AppError ? thrown : unavailable(thrown);
        // If all operations of a batch fail together, the database is unavailable, so those queued behind them fail at
        // once too.
        const behind = batch.length > 1 ? queue : [];
        if (batch.length > 1) queue = [];
        for (const { reject } of [...batch, ...behind]) reject(error);
      }
    }
    running = undefined;
  };
  return {
    add: (op: LedgerOp): Promise<OpOutcome> =>
      new Promise((resolve, reject) => {
        queue.push({ op, resolve, reject });
        running ??= drain();
      }),
    /** Whether the database refused an operation of the last batch. */
    isFailing: () => isFailing,
    idle: async () => {
      while (running !== undefined) await running;
    },
  };
};
