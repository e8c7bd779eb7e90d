import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unavailable } from '#core/error.ts';
import { openDatabase } from './store/database/database.ts';
import { makeFolderOf } from './store/database/make-folder.ts';
import { startProblem } from './start-problem.ts';

const thrownBy = (work: () => void): unknown => {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
};

it.skipIf(process.platform !== 'linux')(
  'says in a sentence that a folder cannot be made, below /proc too',
  () => {
    const problem = startProblem(thrownBy(() => makeFolderOf('/proc/nothing/deeper/tollgate.db')));
    expect(problem).toMatch(
      /^The server cannot start: the folder \/proc\/nothing\/deeper cannot be made: ENOENT/,
    );
    expect(problem).not.toContain('\n');
  },
);

it('makes the folders above a file, once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-folder-'));
  makeFolderOf(join(folder, 'a/b/tollgate.db'));
  expect(thrownBy(() => makeFolderOf(join(folder, 'a/b/tollgate.db')))).toBeUndefined();
  rmSync(folder, { recursive: true });
});

it.each([
  [
    { engine: 'postgres', url: 'postgres://a:b@127.0.0.1:1/x' },
    /^The database \(DATABASE_URL, else in TOLLGATE_DATA_DIR\) cannot be used: .*ECONNREFUSED/,
  ],
  [{ engine: 'sqlite', file: '/dev/null/tollgate.db' }, /^The (?:database|server).* cannot .*\/dev\/null/],
] as const)('says in a sentence that a database cannot be used, and why: %o', async (config, expected) => {
  const problem = startProblem(await openDatabase(config).catch((thrown: unknown) => thrown));
  expect(problem).toMatch(expected);
  expect(problem).not.toMatch(/\n|busy/);
});

it('says how each address of a database failed, where its host has several', async () => {
  const failed = new Promise((resolve) => {
    const lookup: LookupFunction = (_host, _options, tell) =>
      tell(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.2', family: 4 },
      ]);
    connect({ port: 1, host: 'database.example', lookup }).once('error', resolve);
  });
  expect(startProblem(unavailable(await failed))).toBe(
    'The database (DATABASE_URL, else in TOLLGATE_DATA_DIR) cannot be used: ' +
      'connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1',
  );
});

it('says in a sentence that HOST is no name of this machine', async () => {
  const problem = await new Promise((resolve) => {
    createServer().once('error', resolve).listen(0, 'nowhere.invalid');
  });
  expect(startProblem(problem)).toMatch(/^HOST is neither an address nor a name .*nowhere\.invalid\)$/);
});
