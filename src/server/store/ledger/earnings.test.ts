import { expect, it } from 'vitest';
import { logType } from '#contract/codes.ts';
import type { Movement } from '#core/ledger/ledger.ts';
import { eventRow } from '#core/log/event-row.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import { sql } from 'kysely';
import { brokenRules } from '../testing/broken-rules.ts';
import { createLedger } from './ledger.ts';
import { callLog, givenUser } from '../testing/accounts.ts';
import { createUserStore } from '../people/user-store.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';

onEachEngine('movements beside calls', (on) => {
  let refs = 0;
  const move = (userId: number, change: Partial<Movement>) =>
    on.ledger.move({
      kind: 'transfer',
      ref: `ref-${(refs += 1)}`,
      userId,
      deltaUnits: 0,
      reason: 'a test',
      actorId: userId,
      nowMs: 1,
      ...change,
    });
  const user = async (id: number) => (await createUserStore(on.database).byId(id))!;

  it('invite earnings become quota once, however many transfers come at once', async () => {
    const id = await givenUser(on.database, on.ledger, 100);
    expect(await move(id, { kind: 'invite', earnedUnits: 1000 })).toBe('moved');
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => move(id, { deltaUnits: 300, earnedUnits: -300 })),
    );
    expect(outcomes.filter((outcome) => outcome === 'moved')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'would_be_negative')).toHaveLength(17);
    expect(await user(id)).toMatchObject({
      quotaUnits: 1000,
      affQuotaUnits: 100,
      affHistoryQuotaUnits: 1000,
    });
  });

  it('a balance that is named is reached from whatever it is, and the journal has the difference', async () => {
    const id = await givenUser(on.database, on.ledger, 700);
    expect(await move(id, { kind: 'admin', toUnits: 250 })).toBe('moved');
    expect((await user(id)).quotaUnits).toBe(250);
    const rows = await on.database.writer
      .selectFrom('journal')
      .select(['delta', 'quota_after'])
      .where('user_id', '=', id)
      .where('kind', '=', 'admin')
      .execute();
    expect(rows).toEqual([{ delta: -450, quota_after: 250 }]);
  });

  const open = async (userId: number, quotaUnits: number): Promise<string> => {
    const id = `call-${(refs += 1)}`;
    const held = await on.ledger.hold({ id, userId, tokenId: null, quotaUnits, nowMs: 1, expiresAtMs: 99 });
    expect(held).toBe('held');
    return id;
  };
  const settle = (id: string, userId: number, quotaUnits: number) =>
    on.ledger.settle({
      id,
      quotaUnits,
      nowMs: 2,
      log: callLog({ requestId: id, type: logType.consume, userId }),
      writeLog: true,
    });
  const rowsOf = (userId: number) =>
    on.database.writer
      .selectFrom('journal')
      .select(['delta', 'quota_after'])
      .where('user_id', '=', userId)
      .where('kind', '=', 'admin')
      .orderBy('id')
      .execute();

  it.each([
    ['nothing', 0, 300],
    ['nothing, and a call that fails', 0, 0],
    ['less than calls hold', 120, 300],
    ['more than there was', 5000, 300],
    ['more, and a call that costs all it held', 5000, 500],
  ])('a quota set while a call holds some is what is left when it is over: %s', async (_, toUnits, cost) => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const call = await open(id, 500);
    expect(await move(id, { kind: 'admin', toUnits })).toBe('moved');
    expect((await user(id)).quotaUnits).toBe(toUnits);
    const outcome = cost === 0 ? await on.ledger.void(call, 2) : await settle(call, id, cost);
    expect(outcome).toMatchObject({ chargedUnits: cost, houseLossUnits: 0, userQuotaUnits: toUnits });
    expect(await user(id)).toMatchObject({ quotaUnits: toUnits, usedQuotaUnits: cost });
    const rest = cost === 500 ? [] : [{ delta: cost - 500, quota_after: toUnits }];
    expect(await rowsOf(id)).toEqual([{ delta: toUnits - 500, quota_after: toUnits }, ...rest]);
  });

  it('a quota that was set stays as it is, also if the process is killed right after it', async () => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const calls = [await open(id, 500), await open(id, 100)];
    const movement = {
      kind: 'admin',
      ref: 'killed',
      userId: id,
      deltaUnits: 0,
      toUnits: 70,
      reason: '',
    } as const;
    // One transaction, after which nothing follows.
    await on.database.runLedger([{ op: 'move', movement: { ...movement, actorId: 0, nowMs: 1 } }]);
    for (const call of calls) await on.ledger.void(call, 2);
    expect(await user(id)).toMatchObject({ quotaUnits: 70, usedQuotaUnits: 0 });
  });

  it('of a call that costs more than it held the account pays the difference, and never below zero', async () => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const call = await open(id, 500);
    await move(id, { kind: 'admin', toUnits: 200 });
    expect(await settle(call, id, 800)).toMatchObject({ chargedUnits: 700, houseLossUnits: 100 });
    expect(await user(id)).toMatchObject({ quotaUnits: 0, usedQuotaUnits: 700 });
  });

  it('what a call holds after the quota was set comes back', async () => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const call = await open(id, 500);
    await move(id, { kind: 'admin', toUnits: 900 });
    expect(await on.ledger.grow({ id: call, quotaUnits: 800, leastUnits: 800 })).toMatchObject({
      state: 'grown',
    });
    const later = await open(id, 400);
    await settle(call, id, 600);
    await settle(later, id, 10);
    expect((await user(id)).quotaUnits).toBe(900 - 100 - 10);
  });

  it('a quota set twice during one call, with a gift in between, is what was set last', async () => {
    const id = await givenUser(on.database, on.ledger, 1000);
    const calls = [await open(id, 500), await open(id, 100)];
    await move(id, { kind: 'admin', toUnits: 50 });
    await move(id, { kind: 'admin', deltaUnits: 7 });
    await move(id, { kind: 'admin', toUnits: 30 });
    for (const call of calls) await settle(call, id, 1);
    expect(await user(id)).toMatchObject({ quotaUnits: 30, usedQuotaUnits: 2 });
  });

  it('a quota set to 0 while many calls begin and end on two nodes stays at 0', async () => {
    // Two programs on one SQLite file are not supported.
    const again = on.engine.name === 'postgres' ? await on.openAgain() : undefined;
    const there = again === undefined ? on.ledger : createLedger(again);
    for (let round = 0; round < 5; round += 1) {
      const id = await givenUser(on.database, on.ledger, 100_000);
      const call = async (at: number): Promise<string> => {
        const node = at % 2 === 0 ? on.ledger : there;
        const hold = { id: `race-${round}-${at}`, userId: id, tokenId: null, nowMs: 1, expiresAtMs: 99 };
        const held = await node.hold({ ...hold, quotaUnits: 500 });
        if (held === 'held') await (at % 4 < 2 ? on.ledger : there).void(hold.id, 2);
        return typeof held === 'string' ? held : held.state;
      };
      const begun = Array.from({ length: 30 }, (_, at) => call(at));
      const set = move(id, { kind: 'admin', toUnits: 0 });
      const later = Array.from({ length: 30 }, (_, at) => call(30 + at));
      const outcomes = await Promise.all([...begun, ...later]);
      expect(outcomes.filter((outcome) => outcome !== 'held' && outcome !== 'user_short')).toEqual([]);
      await set;
      expect((await user(id)).quotaUnits).toBe(0);
    }
    if (again === undefined) return;
    await there.close();
    await again.close();
  });

  it('the books balance afterwards', async () => {
    expect(await brokenRules(on.database, 1)).toEqual([]);
  });

  const logsOf = async (id: number) => {
    const rows = await on.database.writer
      .selectFrom('logs')
      .select(['content', 'quota'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute();
    return rows;
  };
  const logged = (id: number, content: string) =>
    eventRow({ createdAtMs: 1, type: 3, userId: id, username: 'ada', content, quotaUnits: 7 });

  it('a movement and its log row are written together, or neither', async () => {
    const id = await givenUser(on.database, on.ledger, 100);
    expect(await move(id, { kind: 'admin', deltaUnits: 50, log: logged(id, 'more') })).toBe('moved');
    expect(await move(id, { kind: 'admin', deltaUnits: -151, log: logged(id, 'refused') })).toBe(
      'would_be_negative',
    );
    expect(await move(id, { kind: 'admin', ref: 'once', log: logged(id, 'once') })).toBe('moved');
    expect(await move(id, { kind: 'admin', ref: 'once', log: logged(id, 'twice') })).toBe('duplicate');
    const { writer } = on.database;
    await sql`ALTER TABLE logs RENAME TO logs_away`.execute(writer);
    await expect(move(id, { kind: 'admin', deltaUnits: 1, log: logged(id, 'lost') })).rejects.toThrow();
    await sql`ALTER TABLE logs_away RENAME TO logs`.execute(writer);
    expect((await user(id)).quotaUnits).toBe(150);
    expect(await logsOf(id)).toEqual([
      { content: 'more', quota: 7 },
      { content: 'once', quota: 7 },
    ]);
  });

  it('of balances set at one instant, each log row has the true balance before it', async () => {
    const id = await givenUser(on.database, on.ledger, 100);
    const log = logged(id, storedPhrase('log_quota_set', { reason: 'why' }));
    await Promise.all([200, 300, 400].map((toUnits) => move(id, { kind: 'admin', toUnits, log })));
    const values = (await logsOf(id)).map(({ content }) => JSON.parse(content).values);
    expect(values).toEqual([
      { reason: 'why', before: 100, after: 200 },
      { reason: 'why', before: 200, after: 300 },
      { reason: 'why', before: 300, after: 400 },
    ]);
  });
});
