import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedger } from '../ledger/ledger.ts';
import { givenUser } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createUserStore } from '../people/user-store.ts';
import { type Database, type DatabaseConfig, newNodeId, openSeat } from './database.ts';
import { joinNodes, type Membership } from './join-nodes.ts';

const QUOTA = 1_000_000;

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`relays beside a node on ${engine.name}`, () => {
    let opened: TestDatabase;
    let node: Database;
    let membership: Membership;
    let ledger: ReturnType<typeof createLedger>;
    let userId = 0;
    let calls = 0;

    beforeAll(async () => {
      opened = await engine.create();
      node = opened.database;
      membership = await joinNodes(node, { now: () => 1 });
      ledger = createLedger(node);
      userId = await givenUser(node, ledger, QUOTA);
    });
    afterAll(async () => {
      await membership.leave();
      await opened.remove();
    });

    const configOf = (): DatabaseConfig =>
      node.engine === 'sqlite'
        ? { engine: 'sqlite', file: node.file }
        : { engine: 'postgres', url: node.pool.options.connectionString ?? '' };
    const openRelay = async () => {
      const nodeId = newNodeId();
      await membership.relays.enter(nodeId);
      const database = openSeat(configOf(), await node.seat(nodeId, 2));
      return { nodeId, database, ledger: createLedger(database) };
    };
    type Relay = Awaited<ReturnType<typeof openRelay>>;
    const dismiss = async ({ nodeId }: Relay): Promise<void> => {
      await node.giveBack(nodeId);
      await membership.relays.leave(nodeId);
    };
    const hold = (holder: Pick<Relay, 'ledger'>) =>
      holder.ledger.hold({
        id: `call-${(calls += 1)}`,
        userId,
        tokenId: null,
        quotaUnits: 100,
        nowMs: 1,
        expiresAtMs: 9_000_000,
      });
    const heldUnits = async () =>
      (await node.writer.selectFrom('users').select('held').where('id', '=', userId).executeTakeFirst())
        ?.held;
    const resolve = () => ledger.resolveAbandoned({ createdBeforeMs: 0, expiredAtMs: 5_000 });

    it('decide over the same balance', async () => {
      const [one, other] = [await openRelay(), await openRelay()];
      const poorId = await givenUser(node, ledger, 1000);
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, at) =>
          [ledger, one.ledger, other.ledger][at % 3]!.hold({
            id: `poor-${String(at)}`,
            userId: poorId,
            tokenId: null,
            quotaUnits: 100,
            nowMs: 1,
            expiresAtMs: 9_000_000,
          }),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(10);
      await Promise.all([dismiss(one), dismiss(other)]);
      await resolve();
      await one.database.close();
      await other.database.close();
    });

    it('are closed one by one: what one held is given back, what the others hold is not', async () => {
      const [one, other] = [await openRelay(), await openRelay()];
      await Promise.all([hold({ ledger }), hold(one), hold(one), hold(other)]);
      expect(await resolve()).toBe(0);
      expect(await heldUnits()).toBe(400);
      await dismiss(one);
      expect(await resolve()).toBe(2);
      expect(await resolve()).toBe(0);
      expect(await heldUnits()).toBe(200);
      await dismiss(other);
      expect(await resolve()).toBe(1);
      expect(await heldUnits()).toBe(100);
      await one.database.close();
      await other.database.close();
    });

    it('wait for the end of a transaction of another, and see it', async () => {
      const relay = await openRelay();
      const nameOf = async (database: Database) =>
        (
          await database.writer
            .selectFrom('users')
            .select('display_name')
            .where('id', '=', userId)
            .executeTakeFirst()
        )?.display_name;
      let finish = (): void => undefined;
      const finished = new Promise<void>((done) => (finish = done));
      let begun = (): void => undefined;
      const hasBegun = new Promise<void>((done) => (begun = done));
      const changing = relay.database.writer.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('users')
          .set({ display_name: 'changed' })
          .where('id', '=', userId)
          .execute();
        begun();
        await finished;
      });
      await hasBegun;
      const held = hold({ ledger });
      const added = node.writer
        .updateTable('users')
        .set((is) => ({ display_name: is.fn('lower', [is.val('NODE')]) }))
        .where('id', '=', userId)
        .execute();
      finish();
      await Promise.all([changing, held, added]);
      expect(await nameOf(relay.database)).toBe('node');
      await dismiss(relay);
      await relay.database.close();
    });

    it.skipIf(engine.name === 'postgres')(
      'that vanish within a transaction leave nothing of it behind and keep nobody waiting',
      async () => {
        const relay = await openRelay();
        let begun = (): void => undefined;
        const hasBegun = new Promise<void>((done) => (begun = done));
        void relay.database.writer
          .transaction()
          .execute(async (transaction) => {
            await transaction
              .updateTable('users')
              .set({ display_name: 'half' })
              .where('id', '=', userId)
              .execute();
            begun();
            await new Promise(() => undefined);
          })
          .catch(() => undefined);
        await hasBegun;
        const waiting = hold({ ledger });
        await dismiss(relay);
        expect(await waiting).toBe('held');
        const user = await createUserStore(node).byId(userId);
        expect(user?.displayName).not.toBe('half');
      },
    );
  });
}
