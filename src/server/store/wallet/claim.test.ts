import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redemptionStatus } from '#contract/codes.ts';
import { brokenRules } from '../testing/broken-rules.ts';
import { createJournalStore } from '../ledger/journal-store.ts';
import { createLedger } from '../ledger/ledger.ts';
import { createLogStore } from '../logs/log-store.ts';
import { createRedemptionStore } from './redemption-store.ts';
import { givenUser } from '../testing/accounts.ts';
import { RACE_QUOTA_UNITS, raceForCode, statesOf } from '../testing/code-race.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { claimOf, givenCode, givenOrder } from '../testing/vouchers.ts';
import { createUserStore } from '../people/user-store.ts';

/** Each round is the same race; `npm run races` runs a thousand of them. */
const ROUNDS = 100;
const PEOPLE = 100;

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`claims on ${engine.name}`, () => {
    let opened: TestDatabase;
    let ledger: ReturnType<typeof createLedger>;
    beforeAll(async () => {
      opened = await engine.create();
      ledger = createLedger(opened.database);
    });
    afterAll(() => opened.remove());
    const quotaOf = async (id: number) => (await createUserStore(opened.database).byId(id))?.quotaUnits;
    const violated = () => brokenRules(opened.database, 10_000);

    it(`one of ${PEOPLE} users gets a code, each time of ${ROUNDS}, on two nodes`, async () => {
      const otherDatabase = await opened.openAgain();
      // Two processes on one SQLite file are not supported; two connections of one process are one node there.
      const nodes: [typeof ledger, ...(typeof ledger)[]] =
        engine.name === 'postgres' ? [ledger, createLedger(otherDatabase)] : [ledger];
      const people = await Promise.all(
        Array.from({ length: PEOPLE }, () => givenUser(opened.database, ledger, 0)),
      );
      for (let round = 0; round < ROUNDS; round += 1) {
        const states = await raceForCode(opened.database, nodes, people);
        expect(states).toEqual({ claimed: 1, taken: PEOPLE - 1 });
      }
      await otherDatabase.close();
      const quotas = await Promise.all(people.map(quotaOf));
      expect(quotas.reduce<number>((sum, quota) => sum + (quota ?? 0), 0)).toBe(RACE_QUOTA_UNITS * ROUNDS);
      expect(await violated()).toEqual([]);
    }, 300_000);

    it('records who, when, how much and the balance after it', async () => {
      const userId = await givenUser(opened.database, ledger, 50);
      const id = await givenCode(opened.database, { quotaUnits: 100, expiresAtMs: 2_001 });
      expect(await ledger.claim(claimOf('redeem', id, userId, 2_000))).toEqual({
        state: 'claimed',
        quotaUnits: 100,
        userQuotaUnits: 150,
      });
      expect(await createRedemptionStore(opened.database).byId(id)).toMatchObject({
        status: redemptionStatus.used,
        usedUserId: userId,
        redeemedAtMs: 2_000,
      });
      const { items } = await createJournalStore(opened.database).list(userId, { page: 1, pageSize: 10 });
      expect(items).toMatchObject([
        { kind: 'redeem', deltaUnits: 100, quotaAfterUnits: 150, reason: 'a reason', createdAtMs: 2_000 },
        { kind: 'grant', deltaUnits: 50, quotaAfterUnits: 50 },
      ]);
      const logs = await createLogStore(opened.database).page({ userId }, { page: 1, pageSize: 10 });
      expect(logs.items).toMatchObject([{ type: 1, quotaUnits: 100 }]);
    });

    it('refuses what is missing, switched off, deleted, past its time or another user’s, and users who are gone', async () => {
      const userId = await givenUser(opened.database, ledger, 0);
      const other = await givenUser(opened.database, ledger, 0);
      const codes = createRedemptionStore(opened.database);
      const [off, deleted, late] = [
        await givenCode(opened.database),
        await givenCode(opened.database),
        await givenCode(opened.database, { expiresAtMs: 2_000 }),
      ];
      await codes.setStatus(off, redemptionStatus.disabled);
      await codes.delete(deleted, 1_500);
      const theirs = await givenOrder(opened.database, other);
      const state = async (kind: 'redeem' | 'topup', id: number, by = userId) =>
        (await ledger.claim(claimOf(kind, id, by))).state;
      expect(await state('redeem', 999_999)).toBe('missing');
      expect(await state('redeem', off)).toBe('taken');
      expect(await state('redeem', deleted)).toBe('taken');
      expect(await state('redeem', late)).toBe('expired');
      const unused = await givenCode(opened.database);
      expect(await state('redeem', unused, 999_999)).toBe('user_missing');
      expect((await codes.byId(unused))?.status).toBe(redemptionStatus.unused);
      expect(await state('topup', theirs)).toBe('missing');
      expect(await quotaOf(userId)).toBe(0);
      expect(await state('topup', theirs, other)).toBe('claimed');
      expect(await violated()).toEqual([]);
    });

    it('credits an order once, however often its payment is told', async () => {
      const userId = await givenUser(opened.database, ledger, 0);
      const id = await givenOrder(opened.database, userId, 500);
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, () => ledger.claim(claimOf('topup', id, userId))),
      );
      expect(statesOf(outcomes)).toEqual({ claimed: 1, taken: 99 });
      expect(await quotaOf(userId)).toBe(500);
      expect(await violated()).toEqual([]);
    });

    it('leaves a redeemed code as it is: no edit, no switch, and deleting keeps its credit explained', async () => {
      const userId = await givenUser(opened.database, ledger, 0);
      const codes = createRedemptionStore(opened.database);
      const id = await givenCode(opened.database);
      const read = await codes.byId(id);
      await ledger.claim(claimOf('redeem', id, userId));
      expect(await codes.update(id, { quotaUnits: 999 }, read!)).toBeUndefined();
      expect(await codes.setStatus(id, redemptionStatus.unused)).toBeUndefined();
      expect(await codes.delete(id, 3_000)).toBe(true);
      expect(await violated()).toEqual([]);
    });
  });
}
