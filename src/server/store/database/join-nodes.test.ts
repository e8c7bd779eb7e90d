import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createLedger } from '../ledger/ledger.ts';
import { takeLease } from '../ledger/node-lease.ts';
import { givenUser } from '../testing/accounts.ts';
import { engines } from '../testing/engines.ts';
import { wayBetween } from '../testing/way-between.ts';
import { type Database, openDatabase } from './database.ts';
import { joinNodes } from './join-nodes.ts';
import { requireCurrent } from './migrate.ts';
import { enterAsNode } from './postgres/enter-as-node.ts';

it('a second server on one SQLite file is refused only while the first one runs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-join-'));
  const database = await openDatabase({ engine: 'sqlite', file: join(folder, 'tollgate.db') });
  const first = await joinNodes(database, { now: () => 1 });
  expect(first.isAlone).toBe(true);
  await first.admitOthers();
  await expect(joinNodes(database, { now: () => 1 })).rejects.toThrow(
    /^another server uses .*tollgate\.db: stop it first/,
  );
  await first.leave();
  const next = await joinNodes(database, { now: () => 1 });
  expect(next.isAlone).toBe(true);
  await next.leave();
  await database.close();
  rmSync(folder, { recursive: true });
});

it('tables of an older version are not changed while a server of that version uses them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-join-'));
  const config = { engine: 'sqlite', file: join(folder, 'tollgate.db') } as const;
  const database = await openDatabase(config);
  const server = await joinNodes(database, { now: () => 1 });
  await (await openDatabase(config, requireCurrent)).close();
  await (await openDatabase(config)).close();
  await sql`DROP INDEX usage_hours_user`.execute(database.writer);
  await sql`DROP INDEX usage_hours_token`.execute(database.writer);
  await sql`DELETE FROM schema_steps WHERE name = '0009-usage-by-caller'`.execute(database.writer);
  await expect(openDatabase(config)).rejects.toThrow(/^another server uses .*tollgate\.db: stop it first/);
  await expect(openDatabase(config, requireCurrent)).rejects.toThrow(
    /^the tables are those of an older version/,
  );
  const indexes = async () =>
    (await sql`SELECT 1 FROM sqlite_schema WHERE name = 'usage_hours_user'`.execute(database.reader)).rows
      .length;
  expect(await indexes()).toBe(0);
  await server.leave();
  await (await openDatabase(config)).close();
  expect(await indexes()).toBe(1);
  await database.close();
  rmSync(folder, { recursive: true });
});

const postgres = engines.find(({ name }) => name === 'postgres');
describe.skipIf(postgres?.missing !== undefined)('nodes on PostgreSQL', () => {
  const opened = async () => {
    if (postgres === undefined) throw new Error('no PostgreSQL');
    return postgres.create();
  };
  const forget = (database: Database, step: string) =>
    sql`DELETE FROM schema_steps WHERE name = ${step}`.execute(database.writer);

  it('of an older version keep their tables until the last of them has stopped', async () => {
    const { database, openAgain, remove } = await opened();
    const first = await joinNodes(database, { now: () => 1 });
    await first.admitOthers();
    const second = await joinNodes(database, { now: () => 2 });
    await sql`DROP INDEX usage_hours_user`.execute(database.writer);
    await sql`DROP INDEX usage_hours_token`.execute(database.writer);
    await forget(database, '0009-usage-by-caller');
    const refusal = /servers of an older version use them: stop all of them first/;
    await expect(openAgain()).rejects.toThrow(refusal);
    await first.leave();
    await expect(openAgain()).rejects.toThrow(refusal);
    await second.leave();
    // Two new ones at once: one migrates, the other waits for it.
    for (const newer of await Promise.all([openAgain(), openAgain()])) await newer.close();
    await remove();
  });

  it('do not join tables that a newer version has migrated since they opened them', async () => {
    const { database, remove } = await opened();
    await sql`INSERT INTO schema_steps (name) VALUES ('9999-of-tomorrow')`.execute(database.writer);
    await expect(joinNodes(database, { now: () => 1 })).rejects.toThrow(/newer version/);
    await forget(database, '9999-of-tomorrow');
    const alone = await joinNodes(database, { now: () => 1 });
    expect(alone.isAlone).toBe(true);
    await alone.leave();
    await remove();
  });

  const breakLocks = ({ writer }: Database) =>
    sql`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(writer);

  it('are not taken for dead while their connections come back: one that starts then closes none of their calls', async () => {
    const { database, openAgain, remove } = await opened();
    const living = await joinNodes(database, { now: () => 1 });
    await living.admitOthers();
    const ledger = createLedger(database);
    const userId = await givenUser(database, ledger, 1000);
    const hold = { id: 'call', userId, tokenId: null, quotaUnits: 100, nowMs: 1, expiresAtMs: 9_000_000 };
    expect(await ledger.hold(hold)).toBe('held');
    const starting = await openAgain();
    await breakLocks(database);
    const beside = await joinNodes(starting, { now: () => 2 });
    expect(beside.isAlone).toBe(false);
    await forget(database, '0009-usage-by-caller');
    await breakLocks(database);
    await expect(openAgain()).rejects.toThrow(/servers of an older version use them/);
    await Promise.all([living.leave(), beside.leave()]);
    await starting.close();
    await remove();
  });

  it('that were taken for dead all the same find themselves removed', async () => {
    const { database, openAgain, remove } = await opened();
    const away = await joinNodes(database, { now: () => 1 });
    await away.leave();
    if (database.engine !== 'postgres') throw new Error('not PostgreSQL');
    const lease = await takeLease(database, { now: () => 1 });
    const second = await openAgain();
    const next = await joinNodes(second, { now: () => 2 });
    expect([next.isAlone, await lease.beat()]).toEqual([true, false]);
    await next.leave();
    await second.close();
    await remove();
  });

  it('keep their lock when the connection that has it is gone without a word', async () => {
    const { database, remove } = await opened();
    if (database.engine !== 'postgres') throw new Error('not PostgreSQL');
    const way = await wayBetween(database.pool.options.connectionString ?? '');
    const through = { writer: database.writer, pool: { options: { connectionString: way.url } } };
    const node = await enterAsNode(through, 200);
    await node.admitOthers();
    const holders = async (): Promise<readonly unknown[]> =>
      (
        await sql`SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(
          database.writer,
        )
      ).rows;
    const before = await holders();
    expect(before).toHaveLength(1);
    way.fallSilent();
    await expect.poll(async () => (await holders()).length).toBe(2);
    way.fallSilent();
    await node.leave();
    way.close();
    await remove();
  });
});
