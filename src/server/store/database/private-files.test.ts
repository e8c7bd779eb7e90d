import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { joinNodes } from './join-nodes.ts';
import { openStores } from '../open-stores.ts';
import { closeDatabaseFile, closeFile, closeFolder } from './private-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);
const modesIn = (dataDir: string): Record<string, string> =>
  Object.fromEntries(readdirSync(dataDir).map((name) => [name, modeOf(join(dataDir, name))]));

/** Opens everything a server has in its folder, and says who may read what there is. */
const opened = async (dataDir: string) => {
  const stores = await openStores({ databaseUrl: '', dataDir, masterKey: '', masterKeyFile: '' });
  const nodes = await joinNodes(stores.database, { now: () => 1 });
  const modes = { folder: modeOf(dataDir), files: modesIn(dataDir) };
  await nodes.leave();
  await stores.close();
  return modes;
};

const ALL = ['master.key', 'tollgate.db', 'tollgate.db-shm', 'tollgate.db-wal', 'tollgate.db.lock'];
const closed = { folder: '700', files: Object.fromEntries(ALL.map((name) => [name, '600'])) };

describe.skipIf(process.platform === 'win32')('what the data folder holds is its owner’s alone', () => {
  it('where it is new', async () => {
    expect(await opened(join(folder, 'data'))).toEqual(closed);
  });

  it('where the folder was there, open to everybody', async () => {
    mkdirSync(join(folder, 'data'), { mode: 0o755 });
    chmodSync(join(folder, 'data'), 0o755);
    expect(await opened(join(folder, 'data'))).toEqual(closed);
  });

  it('where an earlier run left everything open', async () => {
    const dataDir = join(folder, 'data');
    await opened(dataDir);
    for (const end of ['-wal', '-shm']) writeFileSync(join(dataDir, `tollgate.db${end}`), '');
    for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o644);
    chmodSync(dataDir, 0o755);
    expect(await opened(dataDir)).toEqual(closed);
  });

  it('where a killed server left the files beside its database', () => {
    const file = join(folder, 'tollgate.db');
    const left = ['tollgate.db', 'tollgate.db-journal', 'tollgate.db-shm', 'tollgate.db-wal'];
    for (const name of left) {
      writeFileSync(join(folder, name), 'what callers said');
      chmodSync(join(folder, name), 0o644);
    }
    closeDatabaseFile(file);
    expect(modesIn(folder)).toEqual(Object.fromEntries(left.map((name) => [name, '600'])));
  });

  it('except a shared folder, which stays open', () => {
    chmodSync(folder, 0o1777);
    closeFolder(folder);
    expect(modeOf(folder)).toBe('1777');
  });

  it('except a shared folder behind a link, which stays open as well', () => {
    const shared = join(folder, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    symlinkSync(shared, join(folder, 'link'));
    closeFolder(join(folder, 'link'));
    expect(modeOf(shared)).toBe('1777');
  });

  it('where the folder is ours and behind a link', () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    chmodSync(own, 0o755);
    symlinkSync(own, join(folder, 'link'));
    closeFolder(join(folder, 'link'));
    expect(modeOf(own)).toBe('700');
  });

  it.skipIf(process.getuid?.() !== 0)(
    'except what belongs to another user behind a link, which stays as it is',
    () => {
      const folderOfAnother = join(folder, 'another');
      mkdirSync(folderOfAnother);
      chmodSync(folderOfAnother, 0o755);
      const file = join(folder, 'file');
      writeFileSync(file, 'a file of another');
      chmodSync(file, 0o644);
      for (const path of [folderOfAnother, file]) {
        chownSync(path, 65_534, 65_534);
        symlinkSync(path, `${path}-link`);
      }
      closeFolder(`${folderOfAnother}-link`);
      closeFile(`${file}-link`);
      expect([modeOf(folderOfAnother), modeOf(file)]).toEqual(['755', '644']);
    },
  );
});
