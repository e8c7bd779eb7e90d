import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger, Movement } from '#core/ledger/ledger.ts';
import { auditDatabase } from './audit.ts';
import { createLedger } from './ledger.ts';
import { givenUser } from './testing/accounts.ts';
import { engines, type TestDatabase } from './testing/engines.ts';
import { createUserStore } from './user-store.ts';

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`movements beside calls on ${engine.name}`, () => {
    let opened: TestDatabase;
    let ledger: Ledger & { close(): Promise<void> };
    let refs = 0;
    beforeAll(async () => {
      opened = await engine.create();
      ledger = createLedger(opened.database);
    });
    afterAll(async () => {
      await ledger.close();
      await opened.remove();
    });
    const move = (userId: number, change: Partial<Movement>) =>
      ledger.move({
        kind: 'transfer',
        ref: `ref-${(refs += 1)}`,
        userId,
        deltaUnits: 0,
        reason: 'a test',
        actorId: userId,
        nowMs: 1,
        ...change,
      });
    const user = async (id: number) => (await createUserStore(opened.database).byId(id))!;

    it('invite earnings become quota once, however many transfers come at the same time', async () => {
      const id = await givenUser(opened.database, ledger, 100);
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
      const id = await givenUser(opened.database, ledger, 700);
      expect(await move(id, { kind: 'admin', toUnits: 250 })).toBe('moved');
      expect((await user(id)).quotaUnits).toBe(250);
      const rows = await opened.database.writer
        .selectFrom('journal')
        .select(['delta', 'quota_after'])
        .where('user_id', '=', id)
        .where('kind', '=', 'admin')
        .execute();
      expect(rows).toEqual([{ delta: -450, quota_after: 250 }]);
    });

    it('the books balance afterwards', async () => {
      expect((await auditDatabase(opened.database, 1)).filter(({ violations }) => violations > 0)).toEqual(
        [],
      );
    });
  });
}
