import type { LedgerOp } from '#core/ledger/book.ts';
import type { Claim, Hold, Movement, Settlement } from '#core/ledger/ledger.ts';
import type { CallLog } from '#core/log/log.ts';

/*
 * Ledger operations as one flat array of plain values, because copying objects to another thread costs several times
 * what the database does with them. Both ends are in this file.
 */

type Plain = string | number | boolean | null;

const HOLD = 1;
const SETTLE = 2;
const VOID = 3;
const CHECKPOINT = 4;
const MOVE = 5;
const RESOLVE = 6;
const NOTE = 7;
const CLAIM = 8;

const writeLog = (into: Plain[], log: CallLog): void => {
  const { usage } = log;
  into.push(
    log.requestId,
    log.createdAtMs,
    log.type,
    log.userId,
    log.username,
    log.tokenId,
    log.tokenName,
    log.channelId,
    log.group,
    log.model,
    log.quotaUnits,
    log.useTimeMs,
    log.isStream,
    log.ip,
    log.content,
    log.other,
    usage.inputTokens,
    usage.cacheReadTokens,
    usage.cacheWrite5mTokens,
    usage.cacheWrite1hTokens,
    usage.imageInputTokens,
    usage.audioInputTokens,
    usage.outputTokens,
    usage.audioOutputTokens,
    usage.imageOutputTokens,
    usage.reasoningTokens,
    usage.estimated,
  );
};

const writeOp = (into: Plain[], op: LedgerOp): void => {
  switch (op.op) {
    case 'hold': {
      const { hold } = op;
      into.push(HOLD, hold.id, hold.userId, hold.tokenId, hold.quotaUnits, hold.nowMs, hold.expiresAtMs);
      return;
    }
    case 'settle': {
      const { id, quotaUnits, nowMs, writeLog: written, log } = op.settlement;
      into.push(SETTLE, id, quotaUnits, nowMs, written);
      writeLog(into, log);
      return;
    }
    case 'void':
      into.push(VOID, op.id, op.nowMs, op.log !== undefined);
      if (op.log !== undefined) writeLog(into, op.log);
      return;
    case 'checkpoint':
      into.push(CHECKPOINT, op.id, op.quotaUnits);
      return;
    case 'move': {
      const { movement: m } = op;
      into.push(MOVE, m.kind, m.ref, m.userId, m.deltaUnits, m.toUnits ?? null, m.earnedUnits ?? 0);
      into.push(m.reason, m.actorId, m.nowMs, m.log !== undefined);
      if (m.log !== undefined) writeLog(into, m.log);
      return;
    }
    case 'claim': {
      const { kind, id, userId, reason, nowMs, log } = op.claim;
      into.push(CLAIM, kind, id, userId, reason, nowMs);
      writeLog(into, log);
      return;
    }
    case 'resolve':
      into.push(RESOLVE, op.id, op.nowMs);
      return;
    case 'note':
      into.push(NOTE);
      writeLog(into, op.log);
  }
};

/** Operations, flattened in order. */
export const packOps = (ops: readonly LedgerOp[]): readonly Plain[] => {
  const packed: Plain[] = [];
  for (const op of ops) writeOp(packed, op);
  return packed;
};

/** Reads one value after the other. */
type Next = <Value>() => Value;

const readLog = (next: Next): CallLog => ({
  requestId: next(),
  createdAtMs: next(),
  type: next(),
  userId: next(),
  username: next(),
  tokenId: next(),
  tokenName: next(),
  channelId: next(),
  group: next(),
  model: next(),
  quotaUnits: next(),
  useTimeMs: next(),
  isStream: next(),
  ip: next(),
  content: next(),
  other: next(),
  usage: {
    inputTokens: next(),
    cacheReadTokens: next(),
    cacheWrite5mTokens: next(),
    cacheWrite1hTokens: next(),
    imageInputTokens: next(),
    audioInputTokens: next(),
    outputTokens: next(),
    audioOutputTokens: next(),
    imageOutputTokens: next(),
    reasoningTokens: next(),
    estimated: next(),
  },
});

const readHold = (next: Next): Hold => ({
  id: next(),
  userId: next(),
  tokenId: next(),
  quotaUnits: next(),
  nowMs: next(),
  expiresAtMs: next(),
});

const readSettlement = (next: Next): Settlement => ({
  id: next(),
  quotaUnits: next(),
  nowMs: next(),
  writeLog: next(),
  log: readLog(next),
});

const readMovement = (next: Next): Movement => ({
  kind: next(),
  ref: next(),
  userId: next(),
  deltaUnits: next(),
  toUnits: next<number | null>() ?? undefined,
  earnedUnits: next(),
  reason: next(),
  actorId: next(),
  nowMs: next(),
  log: next<boolean>() ? readLog(next) : undefined,
});

const readClaim = (next: Next): Claim => ({
  kind: next(),
  id: next(),
  userId: next(),
  reason: next(),
  nowMs: next(),
  log: readLog(next),
});

const readOp = (next: Next): LedgerOp => {
  switch (next<number>()) {
    case HOLD:
      return { op: 'hold', hold: readHold(next) };
    case SETTLE:
      return { op: 'settle', settlement: readSettlement(next) };
    case VOID:
      return { op: 'void', id: next(), nowMs: next(), log: next<boolean>() ? readLog(next) : undefined };
    case CHECKPOINT:
      return { op: 'checkpoint', id: next(), quotaUnits: next() };
    case MOVE:
      return { op: 'move', movement: readMovement(next) };
    case CLAIM:
      return { op: 'claim', claim: readClaim(next) };
    case RESOLVE:
      return { op: 'resolve', id: next(), nowMs: next() };
    default:
      return { op: 'note', log: readLog(next) };
  }
};

/** The operations again, in order. */
export const unpackOps = (packed: readonly unknown[]): LedgerOp[] => {
  let at = 0;
  const next: Next = <Value>() => packed[at++] as Value;
  const ops: LedgerOp[] = [];
  while (at < packed.length) ops.push(readOp(next));
  return ops;
};
