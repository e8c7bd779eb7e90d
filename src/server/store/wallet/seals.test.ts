import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { SealedPart } from '#core/seal/sealed-parts.ts';
import { sealCrypto } from '../../seal-crypto.ts';
import { createLedger } from '../ledger/ledger.ts';
import { createLogClearingStore } from '../logs/log-clearing-store.ts';
import { givenCall, givenUser } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { keyMaker, openSealNode } from '../testing/seal-node.ts';

const MONTH = '2026-10';
const at = (day: number): number => Date.UTC(2026, 9, day, 12);
const DAY_MS = 86_400_000;

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`seals on ${engine.name}`, () => {
    let opened: TestDatabase;
    let ledger: Ledger & { close(): Promise<void> };
    let node: Awaited<ReturnType<typeof openSealNode>>;
    let alice: number;
    let bob: number;
    beforeEach(async () => {
      opened = await engine.create();
      ledger = createLedger(opened.database);
      node = await openSealNode(opened.database, at(1));
      alice = await givenUser(opened.database, ledger, 1_000_000);
      bob = await givenUser(opened.database, ledger, 1_000_000);
    });
    afterEach(async () => {
      await ledger.close();
      await opened.remove();
    });

    const call = async (userId: number, day: number, units: number): Promise<string> => {
      const requestId = randomUUID();
      await givenCall(ledger, units, {
        requestId,
        userId,
        createdAtMs: at(day),
        other: '{"price_version":3}',
      });
      return requestId;
    };
    const topUp = (day: number, deltaUnits: number) => {
      const movement = { kind: 'admin', ref: randomUUID(), userId: alice, reason: '', actorId: 1 } as const;
      return ledger.move({ ...movement, deltaUnits, nowMs: at(day) });
    };
    const sealOn = async (day: number): Promise<void> => {
      node.setTime(at(day) + DAY_MS);
      await node.seals.sealDue();
    };
    /** Three days of two users, sealed each. */
    const threeDays = async (): Promise<string[]> => {
      const ids: string[] = [];
      for (const day of [3, 4, 6]) {
        for (let index = 1; index <= 3; index += 1) {
          ids.push(await call(alice, day, 10 * index));
          await call(bob, day, 7);
        }
        await topUp(day, 500);
        await sealOn(day);
      }
      node.setTime(Date.UTC(2026, 10, 2));
      return ids;
    };

    it('seals a day once, after it has ended, and every user can prove the month by what is published', async () => {
      await threeDays();
      await node.seals.sealDue();
      const { seals } = await node.published();
      expect(seals.map(({ line }) => (JSON.parse(line) as { day: string }).day)).toEqual([
        '2026-10-03',
        '2026-10-04',
        '2026-10-06',
        '2026-10-31',
      ]);
      await node.seals.sealDue();
      expect((await node.published()).seals).toHaveLength(4);
      const found = await node.check(alice, MONTH);
      const notes = [expect.stringContaining('9 receipts have no lines of a price')];
      expect(found).toMatchObject({ verdict: 'proven', problems: [], notes, calls: 9, movements: 3 });
      expect(found.statement).toMatchObject({ charged_units: 180 });
      expect(found.text).not.toContain(`"user":${bob}`);
      expect(await node.check(bob, MONTH)).toMatchObject({ verdict: 'proven', calls: 9, movements: 0 });
    });

    it('seals a day once also where two clocks differ, and goes on after one was a year ahead', async () => {
      const daysAfter = async (...times: readonly number[]): Promise<string[]> => {
        for (const time of times) {
          node.setTime(time);
          await node.seals.sealDue();
        }
        return (await node.published()).seals.map(({ line }) => (JSON.parse(line) as { day: string }).day);
      };
      const [ahead, behind] = [Date.UTC(2026, 9, 4, 0, 16), Date.UTC(2026, 9, 4, 0, 14)];
      expect(await daysAfter(ahead, behind, ahead, behind)).toEqual(['2026-10-03']);
      expect((await daysAfter(at(5) + 365 * DAY_MS, at(5), at(5), at(6))).slice(1)).toEqual([
        '2027-10-04',
        '2026-10-04',
        '2026-10-05',
      ]);
    });

    it('catches a row that was changed or taken out of the database, and one that was put in', async () => {
      const [first = '', second = ''] = await threeDays();
      const { writer } = opened.database;
      await writer.updateTable('logs').set({ quota: 11 }).where('request_id', '=', first).execute();
      expect((await node.check(alice, MONTH)).problems.join('\n')).toMatch(
        /seal 1 .*changed, or their order was/,
      );
      await writer.updateTable('logs').set({ quota: 10 }).where('request_id', '=', first).execute();
      expect((await node.check(alice, MONTH)).verdict).toBe('proven');
      await writer.deleteFrom('logs').where('request_id', '=', second).execute();
      expect((await node.check(alice, MONTH)).problems.join('\n')).toMatch(
        /seal 1 .*1 of 3 calls were taken out/,
      );
      await call(alice, 4, 5);
      expect((await node.check(alice, MONTH)).problems.join('\n')).toMatch(/1 of 3 calls were taken out/);
    });

    it('states a late call as late, whatever month is sealed by then', async () => {
      await threeDays();
      await node.check(alice, MONTH);
      await call(alice, 6, 99);
      await node.seals.sealNow();
      const found = await node.check(alice, MONTH);
      expect(found).toMatchObject({ verdict: 'proven', calls: 10 });
      expect(found.notes.join()).toMatch(/1 calls of 99 units came after the statement was issued/);
    });

    it('a call that ended after the last seal is sealed when its statement is asked for with proofs', async () => {
      await threeDays();
      await call(alice, 31, 8);
      node.setTime(Date.UTC(2026, 10, 1, 2));
      expect(await node.check(alice, MONTH)).toMatchObject({ verdict: 'proven', problems: [], calls: 10 });
      const { seals } = await node.published();
      // Who lacks nothing, or lacks it for ever, gets no seal of their own.
      await opened.database.writer.deleteFrom('seal_parts').where('user_id', '=', bob).execute();
      expect((await node.check(bob, MONTH)).verdict).toBe('wrong');
      await node.check(alice, MONTH);
      expect((await node.published()).seals).toHaveLength(seals.length);
    });

    it('a receipt is signed at once, and leads to the published root when it is sealed', async () => {
      const id = await call(alice, 3, 10);
      const early = await node.proofs.receipt(id, alice);
      expect(early).toMatchObject({ missing: 'not_sealed', proof: undefined });
      expect(sealCrypto.verify(early.publicKey, early.receipt, early.signature)).toBe(true);
      expect(JSON.parse(early.receipt)).toMatchObject({
        tollgate: 'call',
        user: alice,
        units: 10,
        details: { price_version: 3 },
      });
      for (const day of [3, 3, 3]) await call(alice, day, 1);
      await sealOn(3);
      const sealed = await node.proofs.receipt(id, undefined);
      expect(sealed.receipt).toBe(early.receipt);
      expect(sealed.proof).toMatchObject({ index: 0, count: 4, page: 0 });
      await expect(node.proofs.receipt(id, bob)).rejects.toThrow('no receipt');
      await expect(node.proofs.receipt('none', undefined)).rejects.toThrow('no receipt');
    });

    it('keeps the sums of rows that are cleared', async () => {
      await threeDays();
      const clearing = createLogClearingStore(opened.database);
      const upToId = (await node.sealStore.last())?.callId ?? 0;
      await clearing.deleteSome({ beforeMs: at(4) + 1, upToId }, 100);
      const found = await node.check(alice, MONTH);
      expect(found).toMatchObject({ verdict: 'partly', problems: [], calls: 9 });
      expect(found.notes.join()).toMatch(/of 6 calls the rows were deleted/);
    });

    it('tells cleared rows from stolen ones, also where a call that began before is written after', async () => {
      await threeDays();
      const upToId = (await node.sealStore.last())?.callId ?? 0;
      // It was still running when what is cleared was sealed.
      await call(alice, 3, 99);
      await createLogClearingStore(opened.database).deleteSome({ beforeMs: at(5), upToId }, 100);
      await node.seals.sealNow();
      const found = await node.check(alice, MONTH);
      expect(found).toMatchObject({ verdict: 'partly', problems: [], calls: 10 });
      expect(found.notes.join()).toMatch(/of 6 calls the rows were deleted/);
      await opened.database.writer.deleteFrom('logs').where('created_at', '=', at(6)).execute();
      expect((await node.check(alice, MONTH)).problems.join()).toMatch(/3 of 3 calls were taken out/);
    });

    it('goes on under a new key that the old one has signed', async () => {
      await threeDays();
      await node.seals.rotateKey(keyMaker);
      await call(alice, 8, 3);
      await sealOn(8);
      node.setTime(Date.UTC(2026, 10, 2));
      const { keys } = await node.published();
      expect(keys).toHaveLength(2);
      expect(await node.check(alice, MONTH)).toMatchObject({ verdict: 'proven', problems: [], calls: 10 });
      const stored = await node.sealStore.keys();
      expect(stored.every(({ privateEncrypted }) => privateEncrypted.startsWith('v1.'))).toBe(true);
    });

    it('a run that broke off is forgotten: the next seals the same rows once, and the dead one writes no more', async () => {
      await call(alice, 3, 10);
      const dead = await node.sealStore.claim(at(3));
      const part: SealedPart = {
        userId: alice,
        month: MONTH,
        list: 'calls',
        count: 9,
        units: 9,
        fromMs: 0,
        toMs: 1,
        root: 'x',
        seal: 1,
        before: { count: 0, units: 0 },
        index: 0,
        size: 1,
        path: [],
      };
      await dead!.addParts([part]);
      node.setTime(at(3) + 60_000);
      expect(await node.sealStore.claim(at(3) + 60_000)).toBeUndefined();
      await sealOn(3);
      await expect(dead!.addParts([part])).rejects.toThrow('another node');
      await expect(dead!.renew(at(9))).rejects.toThrow('another node');
      node.setTime(Date.UTC(2026, 10, 2));
      expect(await node.check(alice, MONTH)).toMatchObject({ verdict: 'proven', calls: 1 });
    });

    it('two nodes that seal while calls end have each row once, in one chain', async () => {
      const again = await opened.openAgain();
      const other = await openSealNode(again, at(1));
      try {
        const work = async (): Promise<void> => {
          for (let index = 0; index < 40; index += 1) await call(index % 2 === 0 ? alice : bob, 3, index);
        };
        const seal = async (which: typeof node): Promise<void> => {
          for (let index = 0; index < 6; index += 1) await which.seals.sealNow();
        };
        await Promise.all([work(), work(), seal(node), seal(other)]);
        await node.seals.sealNow();
        for (const one of [node, other]) one.setTime(Date.UTC(2026, 10, 2));
        const published = await other.published();
        expect(published.keys).toHaveLength(1);
        // Each has something: a seal of nothing is not made.
        expect(published.seals.length).toBeLessThanOrEqual(13);
        await other.seals.sealNow();
        expect((await other.published()).seals).toHaveLength(published.seals.length);
        const proven = { verdict: 'proven', problems: [], calls: 40 };
        for (const user of [alice, bob]) expect(await other.check(user, MONTH)).toMatchObject(proven);
      } finally {
        await again.close();
      }
    });

    it('goes on where the clock was put forward and back', async () => {
      await call(alice, 3, 1);
      await sealOn(3);
      node.setTime(at(3) + 400 * DAY_MS);
      await node.seals.sealDue();
      await call(alice, 5, 1);
      await sealOn(5);
      node.setTime(Date.UTC(2026, 10, 2));
      expect((await node.published()).seals).toHaveLength(3);
      expect(await node.check(alice, MONTH)).toMatchObject({ verdict: 'proven', problems: [], calls: 2 });
    });

    it.runIf(engine.name === 'postgres')(
      'waits for a row with a smaller id that is not committed yet',
      async () => {
        const { database } = opened;
        if (database.engine !== 'postgres') throw new Error('not this engine');
        const client = await database.pool.connect();
        await client.query('BEGIN');
        const insert = `INSERT INTO journal (kind, ref, user_id, delta, reason, actor_id, created_at)
        VALUES ('topup', 'slow', ${alice}, 5, '', 0, ${at(3)})`;
        await client.query(insert);
        await topUp(3, 7);
        let isWritten = false;
        const written = node.sealStore.writtenUpTo().then(() => (isWritten = true));
        // Far more than it takes where nobody is waited for.
        for (let turn = 0; turn < 50; turn += 1) await database.pool.query('SELECT 1');
        expect(isWritten).toBe(false);
        await client.query('COMMIT');
        client.release();
        await written;
        await sealOn(3);
        const parts = await database.writer
          .selectFrom('seal_parts')
          .selectAll()
          .where('month', '=', MONTH)
          .execute();
        expect(parts).toMatchObject([{ list: 'movements', row_count: 2, units: 12 }]);
      },
    );
  });
}
