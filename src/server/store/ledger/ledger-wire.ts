import type { Usage } from '#core/chat/usage.ts';
import type { AllowanceUse } from '#core/cost/allowance-use.ts';
import type { LedgerOp } from '#core/ledger/book.ts';
import type { CallLog } from '#core/log/log.ts';
import { type RecordFields, flatRecord, type FlatRecord, type Plain } from './flat-records.ts';

// Ledger operations as one flat array of plain values, because copying objects to another thread costs several times as
// much as the database work. Both ends are generated from the lists in this file.

const USAGE: RecordFields<Usage> = {
  inputTokens: 'plain',
  cacheReadTokens: 'plain',
  audioCacheReadTokens: 'plain',
  imageCacheReadTokens: 'plain',
  cacheWrite5mTokens: 'plain',
  cacheWrite1hTokens: 'plain',
  imageInputTokens: 'plain',
  audioInputTokens: 'plain',
  outputTokens: 'plain',
  audioOutputTokens: 'plain',
  imageOutputTokens: 'plain',
  reasoningTokens: 'plain',
  // Already charged, and recorded in the row's `other`.
  toolCalls: 'stays',
  writesUndated: 'plain',
  estimated: 'plain',
};

const FREE: RecordFields<AllowanceUse> = {
  day: 'plain',
  channelId: 'plain',
  keyId: 'plain',
  unit: 'plain',
  name: 'plain',
  amount: 'plain',
  limit: 'plain',
  besideNano: 'plain',
  soldNano: 'plain',
};

const LOG: RecordFields<CallLog> = {
  requestId: 'plain',
  createdAtMs: 'plain',
  type: 'plain',
  userId: 'plain',
  username: 'plain',
  tokenId: 'plain',
  tokenName: 'plain',
  channelId: 'plain',
  keyId: 'plain',
  group: 'plain',
  model: 'plain',
  program: 'plain',
  usage: USAGE,
  quotaUnits: 'plain',
  useTimeMs: 'plain',
  isStream: 'plain',
  ip: 'plain',
  content: 'plain',
  other: 'plain',
  costNano: 'plain',
  free: { maybe: FREE },
  priced: 'plain',
  isHouse: 'plain',
  session: 'plain',
  savedUnits: 'plain',
};

type Name = LedgerOp['op'];
type Named<Op extends Name> = Extract<LedgerOp, { readonly op: Op }>;

const OPS: { readonly [Op in Name]: RecordFields<Named<Op>> } = {
  hold: {
    op: 'plain',
    hold: {
      id: 'plain',
      userId: 'plain',
      tokenId: 'plain',
      quotaUnits: 'plain',
      leastUnits: 'plain',
      mostUnits: 'plain',
      takesMost: 'plain',
      mostFromUnits: 'plain',
      nowMs: 'plain',
      expiresAtMs: 'plain',
    },
  },
  grow: { op: 'plain', growth: { id: 'plain', quotaUnits: 'plain', leastUnits: 'plain' } },
  settle: {
    op: 'plain',
    settlement: { id: 'plain', quotaUnits: 'plain', nowMs: 'plain', writeLog: 'plain', log: LOG },
  },
  void: { op: 'plain', id: 'plain', nowMs: 'plain', log: { maybe: LOG } },
  checkpoint: { op: 'plain', id: 'plain', quotaUnits: 'plain' },
  move: {
    op: 'plain',
    movement: {
      kind: 'plain',
      ref: 'plain',
      userId: 'plain',
      deltaUnits: 'plain',
      toUnits: 'plain',
      read: { maybe: { usedUnits: 'plain', heldUnits: 'plain' } },
      earnedUnits: 'plain',
      reason: 'plain',
      actorId: 'plain',
      nowMs: 'plain',
      log: { maybe: LOG },
    },
  },
  claim: {
    op: 'plain',
    claim: { kind: 'plain', id: 'plain', userId: 'plain', reason: 'plain', nowMs: 'plain', log: LOG },
  },
  keep: { op: 'plain', id: 'plain', quotaUnits: 'plain', nowMs: 'plain' },
  resolve: { op: 'plain', id: 'plain', nowMs: 'plain' },
  note: { op: 'plain', log: LOG },
};

/** The operation's name comes first: it determines how the rest is read. */
const records = new Map<unknown, FlatRecord<LedgerOp>>(
  Object.entries(OPS).map(([name, fields]) => [name, flatRecord(fields as RecordFields<LedgerOp>)]),
);

const recordOf = (name: unknown): FlatRecord<LedgerOp> => {
  const record = records.get(name);
  if (record === undefined) throw new Error(`no ledger operation is called ${String(name)}`);
  return record;
};

/** Packs operations, flattened in order. */
export const packOps = (ops: readonly LedgerOp[]): readonly Plain[] => {
  const packed: Plain[] = [];
  for (const op of ops) recordOf(op.op).write(packed, op);
  return packed;
};

/** Unpacks the operations, in order. */
export const unpackOps = (packed: readonly unknown[]): LedgerOp[] => {
  const cursor = { at: 0 };
  const ops: LedgerOp[] = [];
  while (cursor.at < packed.length) ops.push(recordOf(packed[cursor.at]).read(packed, cursor));
  return ops;
};
