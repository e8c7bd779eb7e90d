import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '#core/ledger/ledger.ts';
import { createLedger } from '../ledger/ledger.ts';
import { givenCall, givenUser } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { keyMaker, openSealNode } from '../testing/seal-node.ts';

const at = (day: number): number => Date.UTC(2026, 9, day, 12);
const DAY_MS = 86_400_000;
const MONTH = '2026-10';

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`the state of seals on ${engine.name}`, () => {
    let opened: TestDatabase;
    let ledger: Ledger & { close(): Promise<void> };
    let node: Awaited<ReturnType<typeof openSealNode>>;
    let alice: number;
    beforeEach(async () => {
      opened = await engine.create();
      ledger = createLedger(opened.database);
      node = await openSealNode(opened.database, at(1));
      alice = await givenUser(opened.database, ledger, 1_000_000);
    });
    afterEach(async () => {
      await ledger.close();
      await opened.remove();
    });

    const call = (day: number) =>
      givenCall(ledger, 10, {
        requestId: randomUUID(),
        userId: alice,
        createdAtMs: at(day),
        other: '{"price_version":3}',
      });
    const sealOn = async (day: number): Promise<void> => {
      node.setTime(at(day) + DAY_MS);
      await node.seals.sealDue();
    };

    it('tells how many rows wait for their seal, and no more than it was asked to count', async () => {
      const waiting = async () => (await node.seals.state()).unsealedRows;
      await call(3);
      await call(3);
      // What the user was given first waits, too.
      expect(await waiting()).toBe(3);
      expect(await node.sealStore.countAfter({ callId: 0, movementId: 0 }, 2)).toBe(2);
      await sealOn(3);
      expect(await waiting()).toBe(0);
      await call(4);
      expect(await waiting()).toBe(1);
    });

    it('says that a damaged key signs nothing, and goes on under a new one for those who were told it', async () => {
      await call(3);
      await sealOn(3);
      const [lost] = await node.sealStore.keys();
      // A sound key signs its successor.
      await expect(node.seals.beginKeysAnew(keyMaker)).rejects.toMatchObject({ reason: 'seal_key_sound' });
      await opened.database.writer
        .updateTable('seal_keys')
        .set({ private_encrypted: 'v1.damaged' })
        .execute();
      await call(4);
      node.setTime(at(5));
      const damaged = { code: 'unavailable', reason: 'seal_key_damaged', values: { key: lost?.id } };
      await expect(node.seals.sealDue()).rejects.toMatchObject(damaged);
      await expect(node.seals.rotateKey(keyMaker)).rejects.toMatchObject(damaged);
      node.setTime(Date.UTC(2026, 10, 2));
      await expect(node.check(alice, MONTH)).rejects.toMatchObject(damaged);
      expect(await node.seals.state()).toMatchObject({ isKeyDamaged: true, unsealedRows: 1 });

      await node.seals.beginKeysAnew(keyMaker);
      await node.seals.sealDue();
      expect(await node.seals.state()).toMatchObject({ isKeyDamaged: false, unsealedRows: 0 });
      const known = (await node.sealStore.keys()).at(-1)?.id;
      expect(await node.check(alice, MONTH, known)).toMatchObject({
        verdict: 'proven',
        problems: [],
        calls: 2,
      });
      const untold = await node.check(alice, MONTH);
      expect(untold.verdict).toBe('wrong');
      expect(untold.problems).toEqual([expect.stringMatching(`the operator has told .* --key ${known}`)]);
      // Whoever goes by the lost key need not take another for its successor.
      expect((await node.check(alice, MONTH, lost?.id)).verdict).toBe('wrong');
    });

    it('is due from a quarter of an hour after the day on, as it says before', async () => {
      await sealOn(3);
      const { nextMs, isDue } = await node.seals.state();
      expect([nextMs, isDue]).toEqual([Date.UTC(2026, 9, 5, 0, 15), false]);
      node.setTime(nextMs - 1);
      expect((await node.seals.state()).isDue).toBe(false);
      node.setTime(nextMs);
      expect(await node.seals.state()).toMatchObject({ isDue: true, nextMs: nextMs + DAY_MS });
    });
  });
}
