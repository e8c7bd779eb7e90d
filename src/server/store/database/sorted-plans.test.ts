import { CompiledQuery, type Kysely, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { PageRequest } from '#core/paging.ts';
import { createChannelKeyStore } from '../channels/channel-key-store.ts';
import { createChannelStore } from '../channels/channel-store.ts';
import { createTokenStore } from '../people/token-store.ts';
import { createUserStore } from '../people/user-store.ts';
import { engines } from '../testing/engines.ts';
import { createRedemptionStore } from '../wallet/redemption-store.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** How the engines read a page of a long list: of a plan, not of a time, as tests run on busy machines. */

const lists: Readonly<Record<string, (database: Database, page: PageRequest) => Promise<unknown>>> = {
  users_username_any_case: (database, page) =>
    createUserStore(database).search({ keyword: '', group: '', by: { id: 0, role: 100 } }, page),
  tokens_name: (database, page) => createTokenStore(database).list(1, page),
  redemptions_name: (database, page) => createRedemptionStore(database).list(page),
  channels_name: (database, page) => {
    const { isDescending = false } = page.sort ?? {};
    return createChannelStore(database).page({ sortById: false, sort: { key: 'name', isDescending } }, page);
  },
};

/** The plans of the statements that an act makes. */
const plansOf = async (
  database: Database,
  connection: Kysely<Schema>,
  act: (database: Database) => Promise<unknown>,
): Promise<string> => {
  const nodes: RootOperationNode[] = [];
  const notes: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const noted = connection.withPlugin(notes);
  await act({ ...database, reader: noted, writer: noted });
  const plans: string[] = [];
  for (const node of nodes) {
    const { sql, parameters } = connection.getExecutor().compileQuery(node, { queryId: 'plan' });
    const explain = database.engine === 'postgres' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
    const asked = CompiledQuery.raw(`${explain} ${sql}`, [...parameters]);
    const { rows } = await connection.executeQuery(asked);
    plans.push(JSON.stringify(rows));
  }
  return plans.join('\n');
};

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`lists on ${engine.name}`, () => {
    it.each(Object.entries(lists))('by name are read in the order of the index %s', async (index, list) => {
      const { database, remove } = await engine.create();
      await database.writer.transaction().execute(async (transaction) => {
        // Of few rows PostgreSQL reads and sorts all.
        if (database.engine === 'postgres')
          for (const way of ['seqscan', 'bitmapscan', 'sort'])
            await transaction.executeQuery(CompiledQuery.raw(`SET LOCAL enable_${way} = off`));
        for (const isDescending of [false, true]) {
          const page = { page: 1, pageSize: 20, sort: { key: 'name', isDescending } };
          expect(await plansOf(database, transaction, (of) => list(of, page))).toContain(index);
        }
      });
      await remove();
    });

    it('find the channels with no key but this by an index, as it is asked whenever a key is refused', async () => {
      const { database, remove } = await engine.create();
      const ask = (of: Database) => createChannelKeyStore(of).loneTwins({ channelId: 1, keyMac: 'x' });
      await database.writer.transaction().execute(async (transaction) => {
        if (database.engine === 'postgres')
          await transaction.executeQuery(CompiledQuery.raw('SET LOCAL enable_seqscan = off'));
        expect(await plansOf(database, transaction, ask)).toContain('channels_key_mac');
      });
      await remove();
    });
  });
}
