import { randomUUID } from 'node:crypto';
import { noUsage } from '#core/chat/usage.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { CallLog } from '#core/log/log.ts';
import { unlimitedToken } from '#core/token/testing/unlimited-token.ts';
import type { NewToken } from '#core/token/token-store.ts';
import type { NewUser } from '#core/user/user-store.ts';
import type { Database } from '../database/database.ts';
import { createChannelStore } from '../channels/channel-store.ts';
import { createTokenStore } from '../people/token-store.ts';
import { createUserStore } from '../people/user-store.ts';

export const newUser = (changes: Partial<NewUser> = {}): NewUser => {
  const unique = randomUUID();
  return {
    username: unique,
    displayName: 'Somebody',
    email: '',
    passwordHash: 'hash',
    role: 1,
    group: 'default',
    affCode: unique,
    inviterId: 0,
    createdAtMs: 1_000,
    ...changes,
  };
};

export const newToken = (userId: number, changes: Partial<NewToken> = {}): NewToken => {
  const unique = randomUUID();
  return {
    userId,
    name: 'a token',
    key: { mac: unique, encrypted: 'sealed' },
    createdAtMs: 1_000,
    ...unlimitedToken,
    ...changes,
  };
};

/** A user with a balance. */
export const givenUser = async (database: Database, ledger: Ledger, quotaUnits: number): Promise<number> => {
  const id = await createUserStore(database).create(newUser());
  if (id === 'taken') throw new Error('a random username was taken');
  await ledger.move({
    kind: 'grant',
    ref: `newuser:${id}`,
    userId: id,
    deltaUnits: quotaUnits,
    reason: 'start',
    actorId: 0,
    nowMs: 1_000,
  });
  return id;
};

/** A limited token with a quota of its own, or an unlimited one. */
export const givenToken = async (
  database: Database,
  userId: number,
  quotaUnits?: number,
  name = 'a token',
): Promise<number> => {
  const limit = quotaUnits === undefined ? {} : { unlimited: false, remainQuotaUnits: quotaUnits };
  const made = await createTokenStore(database).create([newToken(userId, { ...limit, name })], 1000);
  if (made === 'too_many' || made[0] === undefined) throw new Error('no token was made');
  return made[0].id;
};

export const givenChannel = async (database: Database, models = 'gpt-5,gpt-5-mini'): Promise<number> => {
  const [id] = await createChannelStore(database).create([
    {
      type: 1,
      name: 'upstream',
      status: 1,
      encryptKey: (channelId) => `sealed for ${channelId}`,
      keyMac: 'mac',
      organization: '',
      baseUrl: 'https://upstream.example',
      other: '',
      models,
      groups: 'default,vip',
      modelMapping: '',
      statusCodeMapping: '',
      setting: '',
      paramOverride: '',
      testModel: '',
      maxInputTokens: 0,
      priority: 0,
      weight: 0,
      autoDisable: true,
      tag: null,
      remark: '',
      createdAtMs: 1_000,
    },
  ]);
  if (id === undefined) throw new Error('no channel was made');
  return id;
};

export const callLog = (changes: Partial<CallLog> = {}): CallLog => ({
  requestId: 'request',
  createdAtMs: 2_000,
  type: 2,
  userId: 1,
  username: 'somebody',
  tokenId: 0,
  tokenName: '',
  channelId: 0,
  group: 'default',
  model: 'gpt-5',
  usage: { ...noUsage, inputTokens: 100, outputTokens: 20 },
  quotaUnits: 0,
  useTimeMs: 1200,
  isStream: false,
  ip: '127.0.0.1',
  content: '',
  other: '{}',
  ...changes,
});

/** A call that was held, of its token if it has one, and charged at the time it began. */
export const givenCall = async (
  ledger: Ledger,
  quotaUnits: number,
  made: Partial<CallLog> & Pick<CallLog, 'requestId' | 'userId' | 'createdAtMs'>,
): Promise<void> => {
  const { requestId: id, userId, createdAtMs: nowMs } = made;
  await ledger.hold({
    id,
    userId,
    tokenId: made.tokenId || null,
    quotaUnits: quotaUnits + 500,
    nowMs,
    expiresAtMs: nowMs + 9e6,
  });
  await ledger.settle({ id, quotaUnits, nowMs, writeLog: true, log: callLog({ quotaUnits, ...made }) });
};
