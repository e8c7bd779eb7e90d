import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { Client } from 'pg';
import { type Database, openDatabase } from '../database.ts';

/** A fresh, empty database of one engine, and how to be rid of it. */
export interface TestDatabase {
  readonly database: Database;
  /** Another node on the same data. */
  openAgain(): Promise<Database>;
  remove(): Promise<void>;
}

export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  /** Why its tests cannot run here; undefined when they can. */
  readonly missing: string | undefined;
  create(): Promise<TestDatabase>;
}

const sqlite: Engine = {
  name: 'sqlite',
  missing: undefined,
  create: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
    const config = { engine: 'sqlite', file: join(folder, 'tollgate.db') } as const;
    const database = await openDatabase(config);
    return {
      database,
      openAgain: () => openDatabase(config),
      remove: async () => {
        await database.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

const onServer = async (serverUrl: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
};

const postgres = (server: { url?: string; missing?: string }): Engine => ({
  name: 'postgres',
  missing: server.url === undefined ? (server.missing ?? 'not started') : undefined,
  create: async () => {
    const serverUrl = server.url ?? '';
    const name = `t_${randomUUID().replaceAll('-', '')}`;
    await onServer(serverUrl, `CREATE DATABASE ${name}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    const config = { engine: 'postgres', url: url.href } as const;
    const database = await openDatabase(config);
    return {
      database,
      openAgain: () => openDatabase(config),
      remove: async () => {
        await database.close();
        await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
      },
    };
  },
});

/** Both engines: `for (const engine of engines) describe.skipIf(engine.missing !== undefined)(…)`. */
export const engines: readonly Engine[] = [sqlite, postgres(inject('postgres') ?? {})];
