import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, type DatabaseConfig, openDatabase } from '../../store/database/database.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';

/** A database that threads can open a connection of their own to; `end` closes and removes it. */
export interface EmptyDatabase {
  readonly config: DatabaseConfig;
  readonly database: Database;
  end(): Promise<void>;
}

const open = async (config: DatabaseConfig, remove: () => Promise<void>): Promise<EmptyDatabase> => {
  const database = await openDatabase(config);
  return {
    config,
    database,
    end: async () => {
      await database.close();
      await remove();
    },
  };
};

/** One of each engine. */
export const emptyDatabases: readonly {
  readonly name: DatabaseConfig['engine'];
  open(): Promise<EmptyDatabase>;
}[] = [
  {
    name: 'sqlite',
    open: () => {
      const folder = mkdtempSync(join(tmpdir(), 'tollgate-threads-'));
      const config = { engine: 'sqlite', file: join(folder, 'tollgate.db') } as const;
      return open(config, async () => rmSync(folder, { recursive: true, force: true }));
    },
  },
  {
    name: 'postgres',
    open: async () => {
      const server = await startPostgres();
      return open({ engine: 'postgres', url: server.url }, () => server.stop());
    },
  },
];
