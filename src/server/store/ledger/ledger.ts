import { type ExpressionBuilder, sql } from 'kysely';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { AppError } from '#core/error.ts';
import type { OpOutcome } from '#core/ledger/apply-ops.ts';
import type { LedgerOp } from '#core/ledger/book.ts';
import type {
  ClaimOutcome,
  CloseOutcome,
  GrowOutcome,
  HoldOutcome,
  Ledger,
  MoveOutcome,
} from '#core/ledger/ledger.ts';
import type { SetOutcome } from '#core/ledger/set-quota.ts';
import { TASK_HOLD_PREFIX } from '#core/task/task.ts';
import type { Database } from '../database/database.ts';
import { groupCommit } from './group-commit.ts';
import type { Schema } from '../database/schema.ts';

const ABANDONED_AT_ONCE = 200;

const isAmount = (quotaUnits: number, least = 0): boolean =>
  Number.isSafeInteger(quotaUnits) && quotaUnits >= least && quotaUnits <= MAX_QUOTA_UNITS;

const outOfRange = (cause: unknown): AppError =>
  new AppError('internal', 'an amount of quota is out of range', { cause });

const checked = (quotaUnits: number, least = 0): number => {
  if (isAmount(quotaUnits, least)) return quotaUnits;
  throw outOfRange(quotaUnits);
};

/** A task or background response continues upstream even if this run ends: its hold only ends by expiring. */
const goesWithItsRun = (is: ExpressionBuilder<Schema, 'holds'>) =>
  is.and([
    is('id', 'not like', `${TASK_HOLD_PREFIX}%`),
    is(
      'id',
      'not in',
      // Without an upstream id nobody can poll it: the run that waited for it has ended.
      is.selectFrom('background_responses').select('hold_id').where('response_id', '<>', ''),
    ),
  ]);

const isOfDeadNode = (is: ExpressionBuilder<Schema, 'holds'>) =>
  is.and([
    is('node_id', 'is not', null),
    is.not(is.exists(is.selectFrom('nodes').select('beats').whereRef('nodes.id', '=', 'holds.node_id'))),
  ]);

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
        is.and([goesWithItsRun(is), is('created_at', '<', createdBeforeMs)]),
        is('expires_at', '<=', expiredAtMs),
        is.and([goesWithItsRun(is), isOfDeadNode(is)]),
      ]),
    )
    .orderBy('expires_at')
    .limit(ABANDONED_AT_ONCE)
    .execute();
  return rows.map(({ id }) => id);
};

/** Writes a value that differs from the last one, because SQLite does not write a row that stays the same. */
const writeSomething = async ({ writer }: Database): Promise<void> => {
  await sql`
    INSERT INTO facts (key, value) VALUES ('written', '0')
    ON CONFLICT (key) DO UPDATE SET value = CASE facts.value WHEN '0' THEN '1' ELSE '0' END`.execute(writer);
};

export interface StoredLedger extends Ledger {
  /** Throws if nothing can be charged: an operation of the last batch failed, and another write fails too. */
  canWrite(): Promise<true>;
  /** Writes pending operations. */
  close(): Promise<void>;
}

/** The ledger of a database. */
export const createLedger = (database: Database): StoredLedger => {
  const group = groupCommit(database.runLedger);
  const checkpoints = lazyCheckpoints(group.add);
  return {
    // Every call waits for a hold and a settlement: these add no wait of their own.
    hold: (hold) =>
      isAmount(hold.quotaUnits) && isAmount(hold.leastUnits ?? 0)
        ? (group.add({ op: 'hold', hold }) as Promise<HoldOutcome>)
        : Promise.reject(outOfRange(hold)),
    grow: async (growth) => {
      checked(growth.quotaUnits);
      checked(growth.leastUnits);
      return (await group.add({ op: 'grow', growth })) as GrowOutcome;
    },
    settle: (settlement) => {
      if (!isAmount(settlement.quotaUnits)) return Promise.reject(outOfRange(settlement.quotaUnits));
      checkpoints.forget(settlement.id);
      return group.add({ op: 'settle', settlement }) as Promise<CloseOutcome>;
    },
    void: async (id, nowMs, log) => {
      checkpoints.forget(id);
      return (await group.add({ op: 'void', id, nowMs, log })) as CloseOutcome;
    },
    checkpoint: async (id, quotaUnits) => checkpoints.add(id, checked(quotaUnits)),
    move: async (movement) => {
      checked(movement.deltaUnits, -MAX_QUOTA_UNITS);
      const outcome = (await group.add({ op: 'move', movement })) as MoveOutcome | SetOutcome;
      if (typeof outcome === 'string') return outcome;
      const { nowMs } = movement;
      await Promise.all(outcome.open.map((hold) => group.add({ op: 'keep', ...hold, nowMs })));
      return 'moved';
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
    canWrite: async () => {
      if (group.isFailing()) await writeSomething(database);
      return true;
    },
    close: async () => {
      await checkpoints.flush();
      await group.idle();
    },
  };
};

const CHECKPOINT_DELAY_MS = 250;

/** Checkpoints of open calls, written a few times a second; a call that ends sooner writes none. */
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
    // Few calls have one, and looking up a new text takes longer than finding the map empty.
    forget: (id: string) => {
      if (pending.size > 0) pending.delete(id);
    },
    add: (id: string, quotaUnits: number) => {
      pending.set(id, Math.max(quotaUnits, pending.get(id) ?? 0));
      // If the database is unavailable, checkpoints are lost; the next one of the same call includes them.
      timer ??= setTimeout(() => void flush().catch(() => {}), CHECKPOINT_DELAY_MS);
    },
  };
};
