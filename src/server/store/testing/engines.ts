import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { Client } from 'pg';
import { type Database, type DatabaseConfig, openDatabase } from '../database/database.ts';
import { putMigratedFile } from './migrated-file.ts';

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
  /** A place for a database, where there is none yet. */
  place(): Promise<EmptyPlace>;
}

export interface EmptyPlace {
  readonly config: DatabaseConfig;
  remove(): Promise<void>;
}

const createIn = async ({ config, remove }: EmptyPlace): Promise<TestDatabase> => {
  const database = await openDatabase(config);
  return {
    database,
    openAgain: () => openDatabase(config),
    remove: async () => {
      await database.close();
      await remove();
    },
  };
};

const sqlitePlace = () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  const remove = async (): Promise<void> => rmSync(folder, { recursive: true, force: true });
  return { file: join(folder, 'tollgate.db'), remove };
};

const sqlite: Engine = {
  name: 'sqlite',
  missing: undefined,
  create: async () => {
    const { file, remove } = sqlitePlace();
    await putMigratedFile(file);
    return createIn({ config: { engine: 'sqlite', file }, remove });
  },
  place: async () => {
    const { file, remove } = sqlitePlace();
    return { config: { engine: 'sqlite', file }, remove };
  },
};

const onServer = async (serverUrl: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
};

const postgres = (server: { url?: string; missing?: string }): Engine => {
  const serverUrl = server.url ?? '';
  const made = async (name: string, from = ''): Promise<EmptyPlace> => {
    await onServer(serverUrl, `CREATE DATABASE ${name}${from}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return {
      config: { engine: 'postgres', url: url.href },
      remove: () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
    };
  };
  const newName = (): string => `t_${randomUUID().replaceAll('-', '')}`;
  let migrated: Promise<string> | undefined;
  /** An empty database with all tables. The others are copies of it, since making the tables takes ten times as long. */
  const migratedOnce = async (): Promise<string> => {
    const name = newName();
    const { database } = await createIn(await made(name));
    await database.close();
    return name;
  };
  return {
    name: 'postgres',
    missing: server.url === undefined ? (server.missing ?? 'not started') : undefined,
    create: async () => createIn(await made(newName(), ` TEMPLATE ${await (migrated ??= migratedOnce())}`)),
    place: () => made(newName()),
  };
};

/** Both engines: `for (const engine of engines) describe.skipIf(engine.missing !== undefined)(…)`. */
export const engines: readonly Engine[] = [sqlite, postgres(inject('postgres') ?? {})];
