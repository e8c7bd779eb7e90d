import type { DatabaseSync } from 'node:sqlite';
import {
  accountsOf,
  applyOps,
  emptyBook,
  type FailedOp,
  holdIdsOf,
  movementOf,
  type OpOutcome,
  usersSetBy,
} from '#core/ledger/apply-ops.ts';
import {
  type Book,
  type HoldRecord,
  type LedgerOp,
  type LogEntry,
  movementKey,
  voucherKey,
} from '#core/ledger/book.ts';
import type { Claim } from '#core/ledger/ledger.ts';
import { allowanceAccount, allowanceDaysOf, allowanceKey } from '#core/ledger/use-allowance.ts';
import { unpackOps } from './ledger-wire.ts';
import { logValues } from '../logs/log-columns.ts';
import { prepareAll, type Statements } from '../database/sqlite/sqlite-statements.ts';
import { channelSums, keySums, sumsOf } from '../logs/sums/usage-sums.ts';
import { storable } from '../database/storable.ts';
import { voucherOf } from '../wallet/voucher-rows.ts';

const NAMES_KEPT = 50_000;

const loadHold = (statements: Statements, book: Book, id: string): void => {
  const row = statements.hold.get(id);
  if (row === undefined) return;
  book.holds.set(id, {
    id,
    userId: Number(row[1]),
    tokenId: row[2] === null ? null : Number(row[2]),
    amount: Number(row[3]),
    tokenAmount: Number(row[4]),
    createdAtMs: Number(row[5]),
    expiresAtMs: Number(row[6]),
    state: row[7] as HoldRecord['state'],
    settled: Number(row[8]),
    houseLoss: row[7] === 'open' ? 0 : Number(row[9]),
    keptUnits: row[7] === 'open' ? Number(row[9]) : 0,
    sent: row[10] === 1,
    checkpoint: Number(row[11]),
    closedAtMs: row[12] === null ? null : Number(row[12]),
    isNew: false,
    hasGrown: false,
    changed: false,
  });
};

/** Names are looked up only for calls of a process that has ended; the others include them. */
const loadNames = (statements: Statements, book: Book, holdId: string): void => {
  const hold = book.holds.get(holdId);
  if (hold === undefined) return;
  const username = String(statements.username.get(hold.userId)?.[0] ?? '');
  const tokenName = hold.tokenId === null ? '' : String(statements.tokenName.get(hold.tokenId)?.[0] ?? '');
  book.names.set(holdId, { username, tokenName });
};

const loadVoucher = (statements: Statements, book: Book, { kind, id }: Claim): void => {
  const row = (kind === 'redeem' ? statements.code : statements.order).get(id);
  if (row === undefined) return;
  const [, quota, owner, expires, open] = row;
  const voucher = voucherOf(kind, {
    id,
    quota: Number(quota),
    owner: Number(owner),
    expires: expires === null ? null : Number(expires),
    open: Number(open),
  });
  book.vouchers.set(voucherKey(voucher), voucher);
};

const load = (statements: Statements, ops: readonly LedgerOp[]): Book => {
  const book = emptyBook();
  for (const id of holdIdsOf(ops)) loadHold(statements, book, id);
  for (const userId of usersSetBy(ops))
    for (const [id] of statements.openHolds.all(userId)) loadHold(statements, book, String(id));
  const { users, tokens } = accountsOf(ops, book);
  for (const id of users) {
    const row = statements.user.get(id);
    if (row === undefined) continue;
    book.users.set(id, {
      id,
      quota: Number(row[0]),
      held: Number(row[1]),
      used: Number(row[2]),
      requestCount: Number(row[3]),
      earned: Number(row[4]),
      active: row[5] === 1,
      changed: false,
    });
  }
  for (const id of tokens) {
    const row = statements.token.get(id);
    if (row === undefined) continue;
    book.tokens.set(id, {
      id,
      userId: Number(row[0]),
      remain: Number(row[1]),
      held: Number(row[2]),
      used: Number(row[3]),
      issuedNow: 0,
      accessedAtMs: Number(row[4]),
      unlimited: row[5] === 1,
      active: row[6] === 1,
      changed: false,
    });
  }
  for (const op of ops) {
    if (op.op === 'resolve') loadNames(statements, book, op.id);
    if (op.op === 'claim') loadVoucher(statements, book, op.claim);
    const moved = movementOf(op);
    if (moved !== undefined && statements.movement.get(moved.kind, moved.ref) !== undefined)
      book.movements.add(movementKey(moved));
  }
  for (const one of allowanceDaysOf(ops)) {
    const { day, channelId, keyId, unit, name } = one;
    const given = statements.allowance.get(day, channelId, keyId, unit, name)?.[0];
    book.allowances.set(allowanceKey(one), allowanceAccount(one, Number(given ?? 0)));
  }
  return book;
};

/** @returns the log row of each hold that got one */
const saveLogs = (
  statements: Statements,
  logs: readonly LogEntry[],
  nameId: (name: string) => number,
): Map<string, number> => {
  const logIds = new Map<string, number>();
  for (const entry of logs) {
    if (!entry.written) continue;
    const { lastInsertRowid } = statements.addLog.run(...logValues(entry, nameId));
    logIds.set(entry.holdId, Number(lastInsertRowid));
  }
  const { hours, days } = sumsOf(logs, nameId);
  for (const hour of new Set(hours.map(([first = 0]) => first))) statements.reopenHour.run(hour);
  for (const hour of hours) statements.addHour.run(...hour);
  for (const day of days) statements.addDay.run(...day);
  for (const [id, quota] of channelSums(logs)) statements.addChannel.run(quota, id);
  for (const [id, quota] of keySums(logs)) statements.addKey.run(quota, id);
  return logIds;
};

const saveHold = (
  statements: Statements,
  hold: HoldRecord,
  logId: number | null,
  nodeId: number | null,
): void => {
  const { id, userId, tokenId, amount, tokenAmount, createdAtMs, expiresAtMs } = hold;
  if (hold.isNew)
    statements.addHold.run(id, userId, tokenId, amount, tokenAmount, createdAtMs, expiresAtMs, nodeId);
  else if (hold.hasGrown) statements.saveGrowth.run(amount, tokenAmount, id);
  if (hold.state !== 'open') {
    const { state, settled, houseLoss, sent, checkpoint, closedAtMs } = hold;
    statements.saveHold.run(state, settled, houseLoss, sent ? 1 : 0, checkpoint, closedAtMs, logId, id);
  } else {
    if (hold.sent) statements.saveCheckpoint.run(hold.checkpoint, id);
    if (hold.keptUnits > 0) statements.saveKept.run(hold.keptUnits, id);
  }
};

/** What is needed for saving: the statements, the ids of names, and the node that owns new holds. */
interface Saving {
  readonly statements: Statements;
  readonly nameId: (name: string) => number;
  readonly nodeId: number | null;
}

const save = ({ statements, nameId, nodeId }: Saving, book: Book): void => {
  const logIds = saveLogs(statements, book.logs, nameId);
  for (const user of book.users.values()) {
    if (user.changed) {
      const { quota, held, used, requestCount, earned } = user;
      statements.saveUser.run(quota, held, used, requestCount, earned, user.id);
    }
  }
  for (const token of book.tokens.values()) {
    if (!token.changed) continue;
    statements.saveToken.run(
      token.remain,
      token.held,
      token.used,
      token.issuedNow,
      token.accessedAtMs,
      token.id,
    );
  }
  for (const hold of book.holds.values())
    if (hold.changed) saveHold(statements, hold, logIds.get(hold.id) ?? null, nodeId);
  for (const m of book.moved) {
    const { kind, ref, userId, deltaUnits, reason, actorId, nowMs, quotaAfterUnits, earnedUnits } = m;
    const amounts = [quotaAfterUnits, earnedUnits] as const;
    statements.addMovement.run(kind, ref, userId, deltaUnits, reason, actorId, nowMs, ...amounts);
    if (earnedUnits > 0) statements.addEarned.run(earnedUnits, userId);
  }
  for (const { kind, id, claimed } of book.vouchers.values()) {
    if (claimed === undefined) continue;
    if (kind === 'redeem') statements.closeCode.run(claimed.atMs, claimed.userId, id);
    else statements.closeOrder.run(claimed.atMs, id);
  }
  for (const { day, channelId, keyId, unit, name, given, changed } of book.allowances.values())
    if (changed) statements.saveAllowance.run(day, channelId, keyId, unit, name, given);
};

/**
 * Caches the ids of names, including new ones. Cleared when a transaction fails, because its new names were rolled
 * back.
 */
const nameBook = (statements: Statements) => {
  const known = new Map<string, number>([['', 0]]);
  const clear = () => {
    known.clear();
    known.set('', 0);
  };
  const idOf = (name: string): number => {
    const cached = known.get(name);
    if (cached !== undefined) return cached;
    if (known.size >= NAMES_KEPT) clear();
    const stored = storable(name);
    const found = statements.name.get(stored)?.[0];
    const id = Number(found ?? statements.addName.run(stored).lastInsertRowid);
    known.set(name, id);
    return id;
  };
  return { idOf, clear };
};

/**
 * Runs packed ledger operations, one transaction per batch. An operation that fails unexpectedly fails alone: the batch
 * is rolled back and its operations run one by one; the failed one returns `{ failed: message }`. `nodeId` identifies
 * the owner of the batch's holds; null for the thread that opened the database.
 */
export const createSqliteLedger = (
  database: DatabaseSync,
): ((packed: readonly unknown[], nodeId: number | null) => (OpOutcome | FailedOp)[]) => {
  const statements = prepareAll(database);
  const names = nameBook(statements);

  const runTogether = (ops: readonly LedgerOp[], nodeId: number | null): OpOutcome[] => {
    try {
      const book = load(statements, ops);
      const outcomes = applyOps(book, ops);
      save({ statements, nameId: names.idOf, nodeId }, book);
      statements.commit.run();
      return outcomes;
    } catch (thrown) {
      names.clear();
      if (database.isTransaction) statements.rollback.run();
      throw thrown;
    }
  };
  const runAlone = (op: LedgerOp, nodeId: number | null): OpOutcome | FailedOp => {
    statements.begin.run();
    try {
      return runTogether([op], nodeId)[0] ?? { failed: 'no outcome' };
    } catch (thrown) {
      return { failed: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  };
  return (packed, nodeId) => {
    const ops = unpackOps(packed);
    statements.begin.run();
    try {
      return runTogether(ops, nodeId);
    } catch {
      return ops.map((op) => runAlone(op, nodeId));
    }
  };
};
