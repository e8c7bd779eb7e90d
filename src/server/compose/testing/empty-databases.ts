import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseConfig } from '../../store/database/database.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';

/** Where threads with a connection of their own find a database, by engine; `end` removes it. */
export const emptyDatabases: Readonly<
  Record<string, () => Promise<{ readonly config: DatabaseConfig; end(): Promise<void> }>>
> = {
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-threads-'));
    return {
      config: { engine: 'sqlite', file: join(folder, 'tollgate.db') },
      end: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
  postgres: async () => {
    const server = await startPostgres();
    return { config: { engine: 'postgres', url: server.url }, end: () => server.stop() };
  },
};
