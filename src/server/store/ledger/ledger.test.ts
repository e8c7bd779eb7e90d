import { expect, it } from 'vitest';
import { callLog, givenChannel, givenToken, givenUser } from '../testing/accounts.ts';
import { createLogStore } from '../logs/log-store.ts';
import { createTokenStore } from '../people/token-store.ts';
import { createUserStore } from '../people/user-store.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';

onEachEngine('the ledger', (on) => {
  let lastId = 0;
  const holdOf = (userId: number, tokenId: number | null, quotaUnits: number, id = `call-${++lastId}`) => ({
    id,
    userId,
    tokenId,
    quotaUnits,
    nowMs: 2_000,
    expiresAtMs: 602_000,
  });
  const settlementOf = (id: string, userId: number, quotaUnits: number, changes = {}) => ({
    id,
    quotaUnits,
    nowMs: 3_000,
    writeLog: true,
    log: callLog({ requestId: id, userId, ...changes }),
  });
  const user = async (id: number) => (await createUserStore(on.database).byId(id))!;
  const token = async (userId: number, id: number) => (await createTokenStore(on.database).byId(userId, id))!;
  it('holds exactly what a balance affords when 200 calls come at once', async () => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const tokenId = await givenToken(on.database, id);
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, () => on.ledger.hold(holdOf(id, tokenId, 100))),
    );
    expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(10);
    const short = { state: 'user_short', availableUnits: 0, heldUnits: 1000 };
    expect(outcomes.slice(10)).toEqual(Array.from({ length: 190 }, () => short));
    expect((await user(id)).quotaUnits).toBe(0);
  });

  it('closes a hold whose row has characters that no database stores, with placeholders', async () => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const hold = holdOf(id, null, 300);
    await on.ledger.hold(hold);
    const said = { content: 'bad\0thing \uD83D', model: 'm\0\uDC00', tokenName: 't\0' };
    expect(await on.ledger.settle(settlementOf(hold.id, id, 120, said))).toMatchObject({ state: 'closed' });
    expect(await user(id)).toMatchObject({ quotaUnits: 880, usedQuotaUnits: 120 });
    const rows = await createLogStore(on.database).page(
      { modelPart: '=m\0\uDC00' },
      { page: 1, pageSize: 9 },
    );
    expect(rows.items.map(({ content, model, tokenName }) => [content, model, tokenName])).toEqual([
      ['bad\uFFFDthing \uFFFD', 'm\uFFFD\uFFFD', 't\uFFFD'],
    ]);
  });

  it('charges what was used, gives the rest back and counts it everywhere', async () => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const tokenId = await givenToken(on.database, id, 500);
    const channelId = await givenChannel(on.database);
    const hold = holdOf(id, tokenId, 300);
    expect(await on.ledger.hold(hold)).toBe('held');
    expect(await user(id)).toMatchObject({ quotaUnits: 700, usedQuotaUnits: 0 });
    expect(await token(id, tokenId)).toMatchObject({ remainQuotaUnits: 200 });
    const outcome = await on.ledger.settle(settlementOf(hold.id, id, 120, { channelId, tokenId }));
    expect(outcome).toEqual({
      state: 'closed',
      chargedUnits: 120,
      houseLossUnits: 0,
      userQuotaUnits: 880,
      userHeldUnits: 0,
    });
    expect(await user(id)).toMatchObject({ quotaUnits: 880, usedQuotaUnits: 120, requestCount: 1 });
    expect(await token(id, tokenId)).toMatchObject({ remainQuotaUnits: 380, usedQuotaUnits: 120 });
  });

  it('takes a charge above the hold from the balance, then from the operator', async () => {
    const id = await givenUser(on.database, on.ledger, 100);
    const hold = holdOf(id, null, 60);
    await on.ledger.hold(hold);
    const outcome = await on.ledger.settle(settlementOf(hold.id, id, 150));
    expect(outcome).toEqual({
      state: 'closed',
      chargedUnits: 100,
      houseLossUnits: 50,
      userQuotaUnits: 0,
      userHeldUnits: 0,
    });
  });

  it('does everything once, by id', async () => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const hold = holdOf(id, null, 100);
    const twice = await Promise.all([on.ledger.hold(hold), on.ledger.hold(hold)]);
    expect(twice).toEqual(['held', 'duplicate']);
    const closes = await Promise.all([
      on.ledger.settle(settlementOf(hold.id, id, 10)),
      on.ledger.settle(settlementOf(hold.id, id, 10)),
      on.ledger.void(hold.id, 3_000),
    ]);
    expect(closes.map((close) => close.state)).toEqual(['closed', 'already_closed', 'already_closed']);
    expect(await on.ledger.void('unheard of', 3_000)).toEqual({ state: 'missing' });
    const move = {
      kind: 'grant',
      ref: 'epay:1',
      userId: id,
      deltaUnits: 5,
      reason: '',
      actorId: 0,
      nowMs: 1,
    } as const;
    expect([await on.ledger.move(move), await on.ledger.move(move)]).toEqual(['moved', 'duplicate']);
    expect((await user(id)).quotaUnits).toBe(995);
  });

  it('refuses whoever is disabled or deleted at that moment', async () => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const other = await givenUser(on.database, on.ledger, 1000);
    const tokenId = await givenToken(on.database, id);
    expect(await on.ledger.hold(holdOf(other, tokenId, 1))).toBe('token_refused');
    await createTokenStore(on.database).delete(id, tokenId, 5);
    expect(await on.ledger.hold(holdOf(id, tokenId, 1))).toBe('token_refused');
    await on.database.writer.updateTable('users').set({ status: 2 }).where('id', '=', id).execute();
    expect(await on.ledger.hold(holdOf(id, null, 1))).toBe('user_refused');
    expect(await on.ledger.hold(holdOf(999_999, null, 1))).toBe('user_refused');
  });

  it('refuses a limited token that has nothing left, even for a free call', async () => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const tokenId = await givenToken(on.database, id, 10);
    const short = { state: 'token_short', availableUnits: 10, heldUnits: 0 };
    expect(await on.ledger.hold(holdOf(id, tokenId, 11))).toEqual(short);
    expect(await on.ledger.hold(holdOf(id, tokenId, 10))).toBe('held');
    const none = { state: 'token_short', availableUnits: 0, heldUnits: 10 };
    expect(await on.ledger.hold(holdOf(id, tokenId, 0))).toEqual(none);
    expect((await user(id)).quotaUnits).toBe(990);
  });

  it('keeps balances within what JavaScript counts exactly', async () => {
    const id = await givenUser(on.database, on.ledger, Number.MAX_SAFE_INTEGER);
    const move = (deltaUnits: number, ref: string) =>
      on.ledger.move({ kind: 'admin', ref, userId: id, deltaUnits, reason: '', actorId: 0, nowMs: 1 });
    expect(await move(1, 'over')).toBe('would_overflow');
    expect(await move(-Number.MAX_SAFE_INTEGER, 'all')).toBe('moved');
    expect(await move(-1, 'under')).toBe('would_be_negative');
    await expect(on.ledger.hold(holdOf(id, null, 2 ** 53))).rejects.toMatchObject({ code: 'internal' });
    await expect(on.ledger.hold(holdOf(id, null, -1))).rejects.toMatchObject({ code: 'internal' });
  });

  it('closes what a crash left open: back when never sent, else charged its last checkpoint, at most the hold', async () => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const [never, some, more] = [holdOf(id, null, 100), holdOf(id, null, 100), holdOf(id, null, 100)];
    await Promise.all([never, some, more].map((hold) => on.ledger.hold(hold)));
    await on.ledger.checkpoint(some.id, 30);
    await on.ledger.checkpoint(some.id, 20);
    await on.ledger.checkpoint(more.id, 1000);
    const resolved = await on.ledger.resolveAbandoned({ createdBeforeMs: 0, expiredAtMs: 602_000 });
    expect(resolved).toBeGreaterThanOrEqual(3);
    expect(await user(id)).toMatchObject({ quotaUnits: 870, usedQuotaUnits: 130 });
    expect(await on.ledger.resolveAbandoned({ createdBeforeMs: 0, expiredAtMs: 602_000 })).toBe(0);
  });

  it('lets no failing operation spoil the others of its batch', async () => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const bad = holdOf(id, null, 5, undefined);
    // The database's own check refuses a row like this; the ledger never makes one.
    const spoiled = on.ledger.hold({ ...bad, expiresAtMs: 0.5 });
    const good = on.ledger.hold(holdOf(id, null, 5));
    await expect(spoiled).rejects.toMatchObject({ code: 'unavailable' });
    expect(await good).toBe('held');
    expect((await user(id)).quotaUnits).toBe(995);
  });
});
