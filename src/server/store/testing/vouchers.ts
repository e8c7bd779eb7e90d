import { randomUUID } from 'node:crypto';
import { logType } from '#contract/codes.ts';
import type { Claim, ClaimKind } from '#core/ledger/ledger.ts';
import type { NewRedemption } from '#core/wallet/redemption.ts';
import type { Database } from '../database/database.ts';
import { createRedemptionStore } from '../wallet/redemption-store.ts';
import { createTopUpOrderStore } from '../wallet/top-up-order-store.ts';
import { callLog } from './accounts.ts';

export const newRedemption = (changes: Partial<NewRedemption> = {}): NewRedemption => ({
  userId: 1,
  name: 'a code',
  keyMac: randomUUID(),
  encryptedKey: 'sealed',
  quotaUnits: 100,
  createdAtMs: 1_000,
  expiresAtMs: null,
  ...changes,
});

/** A code nobody has redeemed. */
export const givenCode = async (
  database: Database,
  changes: Partial<NewRedemption> = {},
): Promise<number> => {
  const codes = createRedemptionStore(database);
  const redemption = newRedemption(changes);
  await codes.create([redemption]);
  return (await codes.byKeyMac(redemption.keyMac))?.id ?? 0;
};

/** An order nobody has paid. */
export const givenOrder = async (database: Database, userId: number, quotaUnits = 100): Promise<number> => {
  const id = await createTopUpOrderStore(database).create({
    userId,
    tradeNo: randomUUID(),
    provider: 'epay',
    method: 'alipay',
    quotaUnits,
    moneyCents: 730,
    createdAtMs: 1_000,
  });
  return id === 'taken' ? 0 : id;
};

export const claimOf = (kind: ClaimKind, id: number, userId: number, nowMs = 2_000): Claim => ({
  kind,
  id,
  userId,
  reason: 'a reason',
  nowMs,
  log: callLog({ type: logType.topUp, userId, requestId: '', createdAtMs: nowMs }),
});
