import { describe, expect, it } from 'vitest';
import type { LedgerOp } from '#core/ledger/book.ts';
import type { CallLog } from '#core/log/log.ts';
import { packOps, unpackOps } from './ledger-wire.ts';

/** No two values are alike: whatever is read into another's place is seen. */
const log: CallLog = {
  requestId: 'request-1',
  createdAtMs: 101,
  type: 102,
  userId: 103,
  username: 'somebody',
  tokenId: 104,
  tokenName: 'a token',
  channelId: 105,
  group: 'vip',
  model: 'gpt-5',
  usage: {
    inputTokens: 106,
    cacheReadTokens: 107,
    imageCacheReadTokens: 13,
    audioCacheReadTokens: 100,
    cacheWrite5mTokens: 108,
    cacheWrite1hTokens: 109,
    imageInputTokens: 110,
    audioInputTokens: 111,
    outputTokens: 112,
    audioOutputTokens: 113,
    imageOutputTokens: 114,
    reasoningTokens: 115,
    estimated: true,
  },
  quotaUnits: 116,
  useTimeMs: 117.5,
  isStream: false,
  ip: '10.0.0.1',
  content: 'what was done',
  other: '{"frt":118}',
  costNano: 119,
  free: {
    day: 120,
    channelId: 121,
    keyId: 122,
    unit: 'calls',
    name: 'given',
    amount: 123,
    limit: 124,
    besideNano: 125,
    soldNano: 126.5,
  },
};

const ops: readonly LedgerOp[] = [
  { op: 'hold', hold: { id: 'h1', userId: 1, tokenId: 2, quotaUnits: 3, nowMs: 4, expiresAtMs: 5 } },
  { op: 'hold', hold: { id: 'h2', userId: 6, tokenId: null, quotaUnits: 7, nowMs: 8, expiresAtMs: 9 } },
  {
    op: 'hold',
    hold: {
      id: 'h5',
      userId: 40,
      tokenId: 41,
      quotaUnits: 42,
      leastUnits: 43,
      mostUnits: 44,
      nowMs: 45,
      expiresAtMs: 46,
    },
  },
  { op: 'grow', growth: { id: 'h6', quotaUnits: 47, leastUnits: 48 } },
  { op: 'settle', settlement: { id: 'h1', quotaUnits: 10, nowMs: 11, writeLog: true, log } },
  { op: 'void', id: 'h2', nowMs: 12, log },
  { op: 'void', id: 'h3', nowMs: 13, log: undefined },
  { op: 'checkpoint', id: 'h4', quotaUnits: 14 },
  {
    op: 'move',
    movement: {
      kind: 'admin',
      ref: 'by-hand:1',
      userId: 15,
      deltaUnits: -16,
      toUnits: 17,
      earnedUnits: 18,
      reason: 'because',
      actorId: 19,
      nowMs: 20,
      log,
    },
  },
  {
    op: 'move',
    movement: {
      kind: 'grant',
      ref: 'new-user:1',
      userId: 21,
      deltaUnits: 22,
      reason: '',
      actorId: 0,
      nowMs: 23,
    },
  },
  { op: 'claim', claim: { kind: 'redeem', id: 24, userId: 25, reason: 'a code', nowMs: 26, log } },
  { op: 'resolve', id: 'h5', nowMs: 27 },
  { op: 'note', log },
];

describe('operations on their way to the thread of the database', () => {
  it('arrive with every field at its place', () => {
    const arrived = unpackOps(structuredClone(packOps(ops)));
    expect(arrived).toEqual(ops);
  });

  it('are one row of plain values, whatever is inside them', () => {
    expect(packOps(ops).filter((value) => typeof value === 'object' && value !== null)).toEqual([]);
  });
});
