import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger, Movement } from '#core/ledger/ledger.ts';
import { eventRow } from '#core/log/event-row.ts';
import { keptPhrase } from '#core/log/kept-phrase.ts';
import { sql } from 'kysely';
import { auditDatabase } from './audit.ts';
import { createLedger } from './ledger.ts';
import { givenUser } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createUserStore } from '../people/user-store.ts';

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

    const logsOf = async (id: number) => {
      const rows = await opened.database.writer
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
      const id = await givenUser(opened.database, ledger, 100);
      expect(await move(id, { kind: 'admin', deltaUnits: 50, log: logged(id, 'more') })).toBe('moved');
      expect(await move(id, { kind: 'admin', deltaUnits: -151, log: logged(id, 'refused') })).toBe(
        'would_be_negative',
      );
      expect(await move(id, { kind: 'admin', ref: 'once', log: logged(id, 'once') })).toBe('moved');
      expect(await move(id, { kind: 'admin', ref: 'once', log: logged(id, 'twice') })).toBe('duplicate');
      const { writer } = opened.database;
      await sql`ALTER TABLE logs RENAME TO logs_away`.execute(writer);
      await expect(move(id, { kind: 'admin', deltaUnits: 1, log: logged(id, 'lost') })).rejects.toThrow();
      await sql`ALTER TABLE logs_away RENAME TO logs`.execute(writer);
      expect((await user(id)).quotaUnits).toBe(150);
      expect(await logsOf(id)).toEqual([
        { content: 'more', quota: 7 },
        { content: 'once', quota: 7 },
      ]);
    });

    it('of balances named at one instant each log row tells what was really there before', async () => {
      const id = await givenUser(opened.database, ledger, 100);
      const log = logged(id, keptPhrase('log_quota_set', { reason: 'why' }));
      await Promise.all([200, 300, 400].map((toUnits) => move(id, { kind: 'admin', toUnits, log })));
      const values = (await logsOf(id)).map(({ content }) => JSON.parse(content).values);
      expect(values).toEqual([
        { reason: 'why', before: 100, after: 200 },
        { reason: 'why', before: 200, after: 300 },
        { reason: 'why', before: 300, after: 400 },
      ]);
    });
  });
}
