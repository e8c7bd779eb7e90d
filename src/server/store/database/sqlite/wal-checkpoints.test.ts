import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../database.ts';
import { walCheckpoints } from './wal-checkpoints.ts';

let folder: string;
let writer: DatabaseSync;
let copier: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-wal-'));
  const file = join(folder, 'wal.db');
  writer = new DatabaseSync(file);
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE rows (text TEXT)');
  copier = new DatabaseSync(file, { timeout: 10 });
  writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
});
afterEach(() => {
  copier.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

/** Each row fills at least a page of its own. */
const write = (rows: number): void => {
  const insert = writer.prepare('INSERT INTO rows VALUES (?)');
  for (let row = 0; row < rows; row++) insert.run('x'.repeat(4000));
};

const state = (): { readonly log: number; readonly onlyThere: number } => {
  const { log, checkpointed } = writer.prepare('PRAGMA wal_checkpoint(NOOP)').get() as Record<string, number>;
  return { log: Number(log), onlyThere: Number(log) - Number(checkpointed) };
};

test('a short log is not copied: a quiet server does not keep its disk awake', () => {
  const copyBack = walCheckpoints(copier, { copyFrames: 1000, restartFrames: 10_000 });
  write(20);
  const before = state();
  copyBack();
  expect(before.onlyThere).toBeGreaterThanOrEqual(20);
  expect(state()).toEqual(before);
});

test('a long log is copied whole, and the writer starts it over', () => {
  const copyBack = walCheckpoints(copier, { copyFrames: 50, restartFrames: 10_000 });
  write(100);
  copyBack();
  expect(state().onlyThere).toBe(0);
  write(1);
  expect(state().log).toBeLessThan(10);
});

test('during writes, what is there is copied without delaying a writer', () => {
  const copyBack = walCheckpoints(copier, { copyFrames: 50, restartFrames: 10_000 });
  write(100);
  writer.exec("BEGIN IMMEDIATE; INSERT INTO rows VALUES ('not committed')");
  copyBack();
  writer.exec('COMMIT');
  expect(state().onlyThere).toBeLessThan(10);
});

test('a long reader keeps the log from starting over only while it reads', () => {
  const copyBack = walCheckpoints(copier, { copyFrames: 10, restartFrames: 60 });
  write(50);
  const reader = new DatabaseSync(join(folder, 'wal.db'), { readOnly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM rows').get();
  write(50);
  copyBack();
  write(1);
  expect(state().log).toBeGreaterThan(100);
  reader.exec('ROLLBACK');
  reader.close();
  write(20);
  copyBack();
  write(1);
  expect(state().log).toBeLessThan(10);
});

test('a long log is copied even if nothing has been read yet', async () => {
  const file = join(folder, 'unread.db');
  const database = await openDatabase({ engine: 'sqlite', file }, async () => {});
  try {
    await sql`CREATE TABLE rows (text TEXT)`.execute(database.writer);
    await sql`INSERT INTO rows VALUES (${'x'.repeat(20_000_000)})`.execute(database.writer);
    expect(statSync(file).size).toBeLessThan(1_000_000);
    await expect.poll(() => statSync(file).size).toBeGreaterThan(20_000_000);
  } finally {
    await database.close();
  }
});
