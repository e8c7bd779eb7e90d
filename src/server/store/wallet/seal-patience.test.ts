import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '#core/ledger/ledger.ts';
import { createLedger } from '../ledger/ledger.ts';
import { givenCall, givenUser } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { openSealNode } from '../testing/seal-node.ts';

const CALLS = 600;
const DAY = Date.UTC(2026, 9, 3, 12);

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`a first seal that takes long, on ${engine.name}`, () => {
    let opened: TestDatabase;
    let ledger: Ledger & { close(): Promise<void> };
    let node: Awaited<ReturnType<typeof openSealNode>>;
    beforeEach(async () => {
      opened = await engine.create();
      ledger = createLedger(opened.database);
      node = await openSealNode(opened.database, DAY);
      const alice = await givenUser(opened.database, ledger, 1_000_000);
      for (let at = 0; at < CALLS; at += 1)
        await givenCall(ledger, 10, { requestId: `request ${at}`, userId: alice, createdAtMs: DAY });
      node.setTime(Date.UTC(2026, 10, 2));
    });
    afterEach(async () => {
      await ledger.close();
      await opened.remove();
    });

    it('is not waited for: the request is told when to ask again, and the seal is made meanwhile', async () => {
      await expect(node.seals.sealSoon(1)).rejects.toMatchObject({
        code: 'unavailable',
        reason: 'seal_running',
        retryAfterSeconds: 30,
      });
      await expect.poll(async () => (await node.sealStore.last())?.number).toBe(1);
      expect((await node.seals.sealSoon()).number).toBe(1);
    });

    it('is waited for by the end of the server, and what was begun is made anew by the next one', async () => {
      await expect(node.seals.sealSoon(1)).rejects.toMatchObject({ reason: 'seal_running' });
      await node.seals.end();
      expect(await node.sealStore.last()).toBeUndefined();
      const next = await openSealNode(opened.database, Date.UTC(2026, 10, 2));
      expect((await next.seals.sealSoon()).number).toBe(1);
    });
  });
}
