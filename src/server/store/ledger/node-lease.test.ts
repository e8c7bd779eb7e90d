import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { brokenRules } from '../testing/broken-rules.ts';
import type { PostgresDatabase } from '../database/database.ts';
import { createLedger } from './ledger.ts';
import { LOOKS_UNTIL_DEAD, type NodeLease, takeLease } from './node-lease.ts';
import { givenUser } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createUserStore } from '../people/user-store.ts';

const postgres = engines.find(({ name }) => name === 'postgres');
const QUOTA = 1000;

describe.skipIf(postgres?.missing !== undefined)('nodes on one PostgreSQL', () => {
  let opened: TestDatabase;
  let here: PostgresDatabase;
  let there: PostgresDatabase;
  let ledgerHere: ReturnType<typeof createLedger>;
  let ledgerThere: ReturnType<typeof createLedger>;
  let leaseHere: NodeLease;
  let leaseThere: NodeLease;
  let calls = 0;
  let nowMs = 1_000;
  const clock = { now: () => (nowMs += 1_000) };

  beforeAll(async () => {
    opened = await postgres!.create();
    here = opened.database as PostgresDatabase;
    there = (await opened.openAgain()) as PostgresDatabase;
    ledgerHere = createLedger(here);
    ledgerThere = createLedger(there);
    leaseHere = await takeLease(here, clock);
    leaseThere = await takeLease(there, clock);
  });
  beforeEach(async () => void (await leaseThere.beat()));
  afterAll(async () => {
    await there.close();
    await opened.remove();
  });

  const heldBy = async (ledger: typeof ledgerHere, userId: number, id = `call-${(calls += 1)}`) => {
    const times = { nowMs: 2_000, expiresAtMs: 9_000_000 };
    expect(await ledger.hold({ id, userId, tokenId: null, quotaUnits: 100, ...times })).toBe('held');
    return id;
  };
  const quotaOf = async (id: number) => (await createUserStore(here).byId(id))?.quotaUnits;
  const resolve = (ledger = ledgerHere) =>
    ledger.resolveAbandoned({ createdBeforeMs: 0, expiredAtMs: 5_000 });
  const lookUntilDead = async (lease: NodeLease): Promise<number[]> => {
    const struck: number[] = [];
    for (let look = 0; look <= LOOKS_UNTIL_DEAD; look += 1) struck.push(await lease.strikeDead());
    return struck;
  };

  it('close what a dead node held, and nothing that a living one holds', async () => {
    const userId = await givenUser(here, ledgerHere, QUOTA);
    await heldBy(ledgerHere, userId);
    const sent = await heldBy(ledgerThere, userId);
    await heldBy(ledgerThere, userId);
    await ledgerThere.checkpoint(sent, 30);
    await ledgerThere.close();
    expect(await resolve()).toBe(0);
    expect(await lookUntilDead(leaseHere)).toEqual([0, 0, 0, 0, 1]);
    expect(await resolve()).toBe(2);
    expect(await quotaOf(userId)).toBe(QUOTA - 100 - 30);
    expect(await resolve()).toBe(0);
    expect(await brokenRules(here, 5_000)).toEqual([]);
  });

  it('close it once, though two of the living look at the same moment', async () => {
    const third = (await opened.openAgain()) as PostgresDatabase;
    const ledgerOfThird = createLedger(third);
    await takeLease(third, clock);
    const userId = await givenUser(here, ledgerHere, QUOTA);
    for (let at = 0; at < 10; at += 1) await heldBy(ledgerOfThird, userId);
    await third.close();
    let struck = 0;
    for (let look = 0; look <= LOOKS_UNTIL_DEAD; look += 1) {
      await Promise.all([leaseHere.beat(), leaseThere.beat()]);
      for (const dead of await Promise.all([leaseHere.strikeDead(), leaseThere.strikeDead()])) struck += dead;
    }
    expect(struck).toBe(1);
    const resolved = await Promise.all([resolve(ledgerHere), resolve(ledgerThere)]);
    expect(resolved[0] + resolved[1]).toBe(10);
    expect(await quotaOf(userId)).toBe(QUOTA);
  });

  it('a node that still beats, however slowly, is never taken for dead', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let look = 0; look < LOOKS_UNTIL_DEAD; look += 1) expect(await leaseHere.strikeDead()).toBe(0);
      expect(await leaseThere.beat()).toBe(true);
    }
  });

  it('a relay beside a node counts as running as long as its node does, or until it leaves', async () => {
    const RELAY = 4711;
    await leaseThere.relays.enter(RELAY);
    for (let look = 0; look <= LOOKS_UNTIL_DEAD; look += 1) {
      expect(await leaseThere.beat()).toBe(true);
      expect(await leaseHere.strikeDead()).toBe(0);
    }
    const dead = async (): Promise<number> => Math.max(...(await lookUntilDead(leaseHere)));
    expect(await dead()).toBe(2);
    await leaseThere.beat();
    await leaseThere.relays.leave(RELAY);
    expect(await dead()).toBe(1);
    await leaseThere.beat();
  });

  it('failed checks do not count: a database that was away makes nobody dead', async () => {
    await leaseHere.strikeDead();
    for (let look = 1; look < LOOKS_UNTIL_DEAD; look += 1) await leaseHere.strikeDead();
    await here.pool.query('ALTER TABLE nodes RENAME TO nodes_away');
    await expect(leaseHere.strikeDead()).rejects.toThrow();
    await here.pool.query('ALTER TABLE nodes_away RENAME TO nodes');
    expect(await leaseHere.strikeDead()).toBe(0);
    expect(await leaseThere.beat()).toBe(true);
  });

  it('a node that was taken for dead learns it at its next beat, and joins again', async () => {
    await lookUntilDead(leaseHere);
    expect(await leaseThere.beat()).toBe(false);
    expect(await leaseThere.beat()).toBe(true);
    const userId = await givenUser(here, ledgerHere, QUOTA);
    await heldBy(ledgerThere, userId);
    expect(await resolve()).toBe(0);
  });

  it('a node that left in order is not watched any more', async () => {
    await leaseThere.leave();
    expect(await lookUntilDead(leaseHere)).toEqual([0, 0, 0, 0, 0]);
  });
});
