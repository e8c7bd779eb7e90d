import { beforeAll, expect, it } from 'vitest';
import type { TokenStore } from '#core/token/token-store.ts';
import { auditDatabase } from '../ledger/audit.ts';
import { callLog, givenToken, givenUser, newToken } from '../testing/accounts.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createTokenStore } from './token-store.ts';

onEachEngine('tokens', (on) => {
  let tokens: TokenStore;
  let owner: number;
  let other: number;
  beforeAll(async () => {
    tokens = createTokenStore(on.database);
    owner = await givenUser(on.database, on.ledger, 1000);
    other = await givenUser(on.database, on.ledger, 1000);
  });

  it('never makes more than the limit, however many creations run at once', async () => {
    const user = await givenUser(on.database, on.ledger, 0);
    const pair = () => tokens.create([newToken(user), newToken(user)], 5);
    const made = await Promise.all([pair(), pair(), pair(), pair()]);
    expect(made.filter((outcome) => outcome === 'too_many')).toHaveLength(2);
    expect((await tokens.list(user, { page: 1, pageSize: 10 })).total).toBe(4);
  });

  it('treats the token of another as a missing one', async () => {
    const id = await givenToken(on.database, owner);
    expect(await tokens.byId(other, id)).toBeUndefined();
    expect(await tokens.update(other, id, { name: 'mine now' }, 0)).toBeUndefined();
    expect(await tokens.delete(other, id, 5)).toBe(false);
    expect(await tokens.byId(owner, id)).toMatchObject({ name: 'a token', encryptedKey: 'sealed' });
  });

  it('finds token and owner by the key, until either is deleted', async () => {
    const token = newToken(owner, {
      modelLimitsEnabled: true,
      modelLimits: ['gpt-5', 'claude'],
      allowIps: '10.0.0.0/8',
    });
    const [made] = (await tokens.create([token], 100)) as readonly { id: number }[];
    expect(await tokens.byKeyMac(token.key.mac)).toMatchObject({
      token: { id: made!.id, modelLimits: ['gpt-5', 'claude'], allowIps: '10.0.0.0/8', unlimited: true },
      owner: { id: owner },
    });
    expect(await tokens.delete(owner, made!.id, 5)).toBe(true);
    expect(await tokens.byKeyMac(token.key.mac)).toBeUndefined();
    expect(await tokens.byKeyMac('unheard of')).toBeUndefined();
  });

  it('leaves what a running call has taken alone when a quota is set', async () => {
    const id = await givenToken(on.database, owner, 100);
    const hold = { id: 'running', userId: owner, tokenId: id, quotaUnits: 60, nowMs: 1, expiresAtMs: 2 };
    expect(await on.ledger.hold(hold)).toBe('held');
    expect(await tokens.update(owner, id, { remainQuotaUnits: 500, expiresAtMs: null }, 0)).toMatchObject({
      remainQuotaUnits: 500,
    });
    await on.ledger.void('running', 3);
    expect(await tokens.byId(owner, id)).toMatchObject({ remainQuotaUnits: 560, expiresAtMs: null });
  });

  it('holds the largest budget there is, whatever is used beside it', async () => {
    const id = await givenToken(on.database, owner, 100);
    const hold = { userId: owner, tokenId: id, nowMs: 1, expiresAtMs: 2 };
    expect(await on.ledger.hold({ ...hold, id: 'large', quotaUnits: 60 })).toBe('held');
    const remainQuotaUnits = Number.MAX_SAFE_INTEGER;
    expect(await tokens.update(owner, id, { remainQuotaUnits }, 0)).toMatchObject({
      remainQuotaUnits: remainQuotaUnits - 60,
    });
    await on.ledger.void('large', 3);
    expect(await tokens.byId(owner, id)).toMatchObject({ remainQuotaUnits });
    await tokens.update(owner, id, { unlimited: true }, 0);
    expect(await on.ledger.hold({ ...hold, id: 'used', quotaUnits: 10 })).toBe('held');
    const settlement = {
      id: 'used',
      quotaUnits: 10,
      nowMs: 4,
      log: callLog({ requestId: 'used' }),
      writeLog: false,
    };
    expect(await on.ledger.settle(settlement)).toMatchObject({ state: 'closed', chargedUnits: 10 });
    expect(
      (await tokens.list(owner, { page: 1, pageSize: 100 })).items.find((one) => one.id === id),
    ).toMatchObject({
      remainQuotaUnits: remainQuotaUnits - 10,
      usedQuotaUnits: 10,
    });
    const findings = await auditDatabase(on.database, 1);
    expect(findings.filter(({ check, violations }) => /^A(05|16)/.test(check) && violations > 0)).toEqual([]);
  });

  it('searches names literally, and only those asked for, among own tokens', async () => {
    const user = await givenUser(on.database, on.ledger, 0);
    const [percent, plain] = [newToken(user, { name: '50%_Off' }), newToken(user, { name: '50 Off' })];
    await tokens.create([percent, plain], 100);
    const page = { page: 1, pageSize: 10 };
    const names = async (filter: Parameters<TokenStore['search']>[1]) =>
      (await tokens.search(user, filter, page)).items.map((token) => token.name);
    expect(await names({ keyword: '%_off' })).toEqual(['50%_Off']);
    expect(await names({ keyword: '' })).toEqual(['50 Off', '50%_Off']);
    const { items } = await tokens.search(user, { keyword: '' }, page);
    const [plainId = 0, percentId = 0] = items.map(({ id }) => id);
    expect(new Set((await tokens.keysOf(user)).map(({ id }) => id))).toEqual(new Set([plainId, percentId]));
    expect(await names({ keyword: '', ids: [percentId] })).toEqual(['50%_Off']);
    expect(await names({ keyword: 'off', ids: [plainId] })).toEqual(['50 Off']);
    expect(await names({ keyword: '', ids: [] })).toEqual([]);
    expect((await tokens.search(other, { keyword: '', ids: [percentId] }, page)).total).toBe(0);
    expect((await tokens.search(other, { keyword: '%_off' }, page)).total).toBe(0);
  });
});
