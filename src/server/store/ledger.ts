import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { AppError } from '#core/error.ts';
import type { OpOutcome } from '#core/ledger/apply-ops.ts';
import type { LedgerOp } from '#core/ledger/book.ts';
import type { ClaimOutcome, CloseOutcome, HoldOutcome, Ledger, MoveOutcome } from '#core/ledger/ledger.ts';
import { TASK_HOLD_PREFIX } from '#core/task/task.ts';
import type { Database, FailedOp } from './database.ts';
import { unavailable } from './sqlite-thread.ts';

/** More waits for the next transaction, so that one batch stays well under the time a call may notice. */
const BATCH_MAX = 256;
const CHECKPOINT_DELAY_MS = 250;
const ABANDONED_AT_ONCE = 200;

interface Queued {
  readonly op: LedgerOp;
  readonly resolve: (outcome: OpOutcome) => void;
  readonly reject: (error: AppError) => void;
}

const settleBatch = (batch: readonly Queued[], outcomes: readonly (OpOutcome | FailedOp)[]): void => {
  batch.forEach(({ resolve, reject }, at) => {
    const outcome = outcomes[at];
    if (outcome === undefined) reject(unavailable(new Error('no outcome')));
    else if (typeof outcome === 'object' && 'failed' in outcome)
      reject(unavailable(new Error(outcome.failed)));
    else resolve(outcome);
  });
};

/** Everything that arrives in one tick, or while a batch is on its way, goes together in the next one. */
const groupCommit = (run: Database['runLedger']) => {
  let queue: Queued[] = [];
  let running: Promise<void> | undefined;

  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH_MAX);
      queue = queue.slice(BATCH_MAX);
      try {
        settleBatch(batch, await run(batch.map(({ op }) => op)));
      } catch (thrown) {
        const error = thrown instanceof AppError ? thrown : unavailable(thrown);
        // Several that fail as one: the database is away. Whoever waited behind them need not find out in turn.
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
        running ??= Promise.resolve().then(drain);
      }),
    idle: async () => {
      while (running !== undefined) await running;
    },
  };
};

/** Checkpoints of calls still open, written a few times a second; a call that ends sooner never pays for one. */
const lazyCheckpoints = (write: (op: LedgerOp) => Promise<OpOutcome>) => {
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

const checked = (quotaUnits: number, least = 0): number => {
  if (Number.isSafeInteger(quotaUnits) && quotaUnits >= least && quotaUnits <= MAX_QUOTA_UNITS)
    return quotaUnits;
  throw new AppError('internal', 'an amount of quota is out of range', { cause: quotaUnits });
};

const abandonedIds = async (
  database: Database,
  createdBeforeMs: number,
  expiredAtMs: number,
): Promise<string[]> => {
  const rows = await database.writer
    .selectFrom('holds')
    .select('id')
    .where('state', '=', 'open')
    .where((is) =>
      is.or([
        // A task or a background response goes on upstream whoever asks for it: its hold only ends with its time.
        is.and([
          is('created_at', '<', createdBeforeMs),
          is('id', 'not like', `${TASK_HOLD_PREFIX}%`),
          is(
            'id',
            'not in',
            // One that never got an id nobody can ask for: the run that waited for it is over.
            is.selectFrom('background_responses').select('hold_id').where('response_id', '<>', ''),
          ),
        ]),
        is('expires_at', '<=', expiredAtMs),
      ]),
    )
    .orderBy('expires_at')
    .limit(ABANDONED_AT_ONCE)
    .execute();
  return rows.map(({ id }) => id);
};

/** The ledger of a database. `close` writes what is on its way. */
export const createLedger = (database: Database): Ledger & { close(): Promise<void> } => {
  const group = groupCommit(database.runLedger);
  const checkpoints = lazyCheckpoints(group.add);
  return {
    hold: async (hold) => {
      checked(hold.quotaUnits);
      return (await group.add({ op: 'hold', hold })) as HoldOutcome;
    },
    settle: async (settlement) => {
      checked(settlement.quotaUnits);
      checkpoints.forget(settlement.id);
      return (await group.add({ op: 'settle', settlement })) as CloseOutcome;
    },
    void: async (id, nowMs, log) => {
      checkpoints.forget(id);
      return (await group.add({ op: 'void', id, nowMs, log })) as CloseOutcome;
    },
    checkpoint: async (id, quotaUnits) => checkpoints.add(id, checked(quotaUnits)),
    move: async (movement) => {
      checked(movement.deltaUnits, -MAX_QUOTA_UNITS);
      return (await group.add({ op: 'move', movement })) as MoveOutcome;
    },
    claim: async (claim) => (await group.add({ op: 'claim', claim })) as ClaimOutcome,
    resolveAbandoned: async ({ createdBeforeMs, expiredAtMs }) => {
      await checkpoints.flush();
      let resolved = 0;
      for (;;) {
        const ids = await abandonedIds(database, createdBeforeMs, expiredAtMs);
        const closed = await Promise.all(
          ids.map((id) => group.add({ op: 'resolve', id, nowMs: expiredAtMs })),
        );
        const now = closed.filter(Boolean).length;
        resolved += now;
        if (now === 0 || ids.length < ABANDONED_AT_ONCE) return resolved;
      }
    },
    close: async () => {
      await checkpoints.flush();
      await group.idle();
    },
  };
};
