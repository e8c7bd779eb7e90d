import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../scripts/run-command.ts';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import { makeChannel, makeToken, setUp } from '../support/operator.ts';
import { startPostgres } from '../../src/server/store/testing/postgres-server.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';

/** A folder into which a release is installed, as `npm install -g` does it: no sources, no packages, no registry. */
let folder: string;
let simulator: RunningSimulator;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
const file = (): string => join(folder, 'bin/tollgate');
const installed = (path: string): string => join(folder, 'lib/node_modules/tollgate', path);

const succeeds = async (program: string, args: readonly string[], env: Record<string, string> = {}) => {
  const { code, output } = await runCommand(program, args, { env });
  expect(output, `${program} ${args.join(' ')}`).toSatisfy(() => code === 0);
  return output;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-built-'));
  [simulator, postgres] = await Promise.all([startSimulator(), startPostgres()]);
  const tarball = (await succeeds('node', ['scripts/release.ts', folder])).trim().split('\n').at(-1) ?? '';
  await succeeds('npm', ['install', '-g', '--offline', '--prefix', folder, tarball]);
});

afterAll(async () => {
  await Promise.all([simulator.stop(), postgres.stop()]);
  await rm(folder, { recursive: true });
});

/** The database of a server, on both engines, with the same master key. */
const TOLLGATE_MASTER_KEY = 'k'.repeat(64);
const onSqlite = (name: string): Record<string, string> => ({
  TOLLGATE_MASTER_KEY,
  TOLLGATE_DATA_DIR: join(folder, name),
});
const onPostgres = (): Record<string, string> => ({ ...onSqlite('beside'), DATABASE_URL: postgres.url });

const start = (env: Record<string, string>, nodeFlags: readonly string[] = []): Promise<Tollgate> =>
  startTollgate({ file: file(), dataDir: env['TOLLGATE_DATA_DIR'] ?? '', env, nodeFlags });

const asking =
  (tollgate: Tollgate, key: string) =>
  async (content: string): Promise<unknown> => {
    const response = await fetch(`${tollgate.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] }),
    });
    return [response.status, await response.json()];
  };
const answered = [200, expect.objectContaining({ object: 'chat.completion' })];

/** Backs up the running server during calls. @returns how many calls ended meanwhile */
const backUpBusy = async (
  env: Record<string, string>,
  backup: string,
  ask: (content: string) => Promise<unknown>,
): Promise<number> => {
  const written = succeeds('node', [file(), 'backup', backup], env);
  let isOver = false;
  void written.finally(() => (isOver = true)).catch(() => undefined);
  let calls = 0;
  while (!isOver) {
    expect(await ask('Hello')).toEqual(answered);
    calls += 1;
  }
  await written;
  return calls;
};

const restoredClean = async (backup: string, env: Record<string, string>): Promise<void> => {
  await succeeds('node', [file(), 'restore', backup], env);
  expect(await succeeds('node', [file(), 'audit'], env)).toMatch(/^ok .*\nClean\.\n$/s);
};

let key = '';

test('a release signs in, answers small and large calls, is backed up while it serves, restored, and its audit is clean', async () => {
  const env = onSqlite('data');
  const tollgate = await start(env);
  expect(await (await fetch(tollgate.url)).text()).toContain('id="site-status"');
  const operator = await setUp(tollgate);
  await makeChannel(operator, { name: 'only', baseUrl: simulator.url, models: ['gpt-4o-mini'] });
  ({ key } = await makeToken(operator, { unlimited_quota: true }));
  const ask = asking(tollgate, key);
  expect(await ask('Hello')).toEqual(answered);
  // A body of this length is read in another thread.
  expect(await ask('word '.repeat(200_000))).toEqual(answered);
  expect(await operator.call('/api/log/?type=2')).toMatchObject({ total: 2 });

  const backup = join(folder, 'tollgate.backup');
  expect(await backUpBusy(env, backup, ask)).toBeGreaterThan(0);
  expect(await tollgate.stop()).toBe(0);
  await restoredClean(backup, onSqlite('elsewhere'));
});

test('a backup is restored to PostgreSQL, backed up there while it serves, and restored again', async () => {
  const env = onPostgres();
  await restoredClean(join(folder, 'tollgate.backup'), env);
  const tollgate = await start(env);
  const backup = join(folder, 'postgres.backup');
  expect(await backUpBusy(env, backup, asking(tollgate, key))).toBeGreaterThan(0);
  expect(await tollgate.stop()).toBe(0);
  expect(await succeeds('node', [file(), 'audit'], env)).toMatch(/\nClean\.\n$/);

  const back = onSqlite('back');
  await restoredClean(backup, back);
  const again = await start(back);
  expect(await asking(again, key)('Hello')).toEqual(answered);
  expect(await again.stop()).toBe(0);
});

/** The flags of a running process, as the system has them. */
const flagsOf = async ({ program }: Tollgate): Promise<string[]> =>
  (await readFile(`/proc/${program.pid}/cmdline`, 'utf8'))
    .split('\0')
    .filter((word) => word.startsWith('--'));

/** The letters of a file of the server and of all files that it imports, by their names. */
const lettersOf = async (name: string, known = new Map<string, number>()): Promise<Map<string, number>> => {
  const text = await readFile(join(folder, 'lib/node_modules/tollgate/dist/server', name), 'utf8');
  known.set(name, text.length);
  for (const [, other = ''] of text.matchAll(/(?:from|import)\(?\s*["'`]\.\/([^"'`]+\.js)/g))
    if (!known.has(other)) await lettersOf(other, known);
  return known;
};

test('the thread of SQLite reads a small program: no schemas and no sentences', async () => {
  const letters = await lettersOf('sqlite-worker.js');
  expect([...letters.keys()]).toContainEqual(expect.stringMatching(/^sqlite-ledger/));
  expect([...letters.values()].reduce((sum, each) => sum + each)).toBeLessThan(80_000);
});

test.runIf(process.platform === 'linux')(
  'the command starts Node once more with its flags, and serves where it may not',
  async () => {
    const usual = await start(onSqlite('twice'), ['--stack-trace-limit=20']);
    const always = ['--no-allocation-site-pretenuring', '--managed-zone-memory', '--memory-pool-timeout=2'];
    expect(await flagsOf(usual)).toEqual(['--max-semi-space-size=8', ...always, '--stack-trace-limit=20']);
    expect(await usual.stop()).toBe(0);
    const said = await start({ ...onSqlite('said'), NODE_OPTIONS: '--max-semi-space-size=4' });
    expect(await flagsOf(said)).toEqual(always);
    expect(await said.stop()).toBe(0);
    // The system does not allow the server to start programs.
    const permitted = [
      '--permission',
      '--allow-fs-read=*',
      '--allow-fs-write=*',
      '--allow-worker',
      '--allow-net',
    ];
    const confined = await start(onSqlite('confined'), permitted);
    expect(await flagsOf(confined)).toEqual(permitted);
    expect(await confined.stop()).toBe(0);
  },
);

test('a stack trace in the log of the built server names the place in our sources', async () => {
  // Makes the server throw where it first listens for a signal.
  const signal = "process.on('SIGTERM', stop);";
  const fails = `const { on } = process; process.on = function (name, heard) {
    if (name === 'SIGTERM') Promise.reject(new Error('made by a test'));
    return on.call(this, name, heard);
  };`;
  const tollgate = await start(onSqlite('traced'), ['--import', `data:text/javascript,${encodeURI(fails)}`]);
  await tollgate.program.printed(/made by a test/);
  const lines = (await readFile('src/server/main.ts', 'utf8')).split('\n');
  const line = 1 + lines.findIndex((text) => text.includes(signal));
  expect(tollgate.program.output()).toMatch(
    new RegExp(`at serveUntilSignal \\(file:///[^ ]*/src/server/main\\.ts:${line}:11\\)`),
  );
  expect(await tollgate.stop()).toBe(0);
});

test('a server whose parent talks to it stays its child', async () => {
  const child = fork(file(), {
    env: { ...process.env, ...onSqlite('forked'), PORT: '0', HOST: '127.0.0.1' },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  await new Promise<void>((resolve) =>
    child.stdout?.on('data', (text) => String(text).includes('http:') && resolve()),
  );
  expect(child.connected).toBe(true);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a command for what is in a database makes none where there is none', async () => {
  const env = onSqlite('nowhere');
  for (const command of ['rescue', 'second-person-off', 'setup-link']) {
    const { code, output } = await runCommand('node', [file(), command], { env });
    expect([code, output]).toEqual([2, expect.stringContaining('there is no database here yet')]);
  }
  expect(existsSync(join(folder, 'nowhere'))).toBe(false);
});

test('why the built server does not start is told with positions in our sources', async () => {
  // A damaged installation: there is no message of our own for it.
  await writeFile(installed('package.json'), '{ "type": "module" }');
  const env = { ...onSqlite('data'), PORT: '0' };
  const { code, output } = await runCommand('node', [file()], { env });
  expect(code).toBe(1);
  expect(output).toMatch(/at packageVersion \(.*src\/server\/config\.ts:\d+:\d+\)/);
});
