import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqliteDialect } from './sqlite-dialect.ts';
import { SqliteThread } from './sqlite-thread.ts';

/** What follows when a thread of SQLite ends, or cannot begin. */

let folder: string;
let threads: SqliteThread[] = [];
const open = (file: string, role: 'read' | 'write', lost?: (cause: unknown) => void): SqliteThread => {
  const thread = new SqliteThread({ file: join(folder, file), role }, lost);
  threads.push(thread);
  return thread;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-thread-'));
});
afterEach(async () => {
  await Promise.all(threads.map((thread) => thread.close()));
  threads = [];
  await rm(folder, { recursive: true });
});

test('a thread that could not open its file is started again by the next message', async () => {
  const causes: unknown[] = [];
  const reader = open('a.db', 'read', (cause) => causes.push(cause));
  await expect(reader.begin()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(reader.begin()).rejects.toMatchObject({
    cause: expect.objectContaining({ message: expect.stringContaining('a.db') }),
  });
  await open('a.db', 'write').begin();
  await reader.begin();
  expect(causes).toEqual([]);
});

test('a thread that worked and then ends by itself is reported once and not restarted', async () => {
  const causes: unknown[] = [];
  const started = new Promise<Worker>((resolve) => process.once('worker', resolve));
  const writer = open('a.db', 'write', (cause) => causes.push(cause));
  await writer.begin();
  // A message that the thread fails at, with an error that nothing in it catches.
  (await started).postMessage({ enter: null });
  await expect.poll(() => causes).toHaveLength(1);
  await expect(writer.begin()).rejects.toMatchObject({ code: 'unavailable' });
  expect(causes).toEqual([expect.objectContaining({ message: expect.stringMatching(/null/) })]);
});

test('on a full disk a transaction fails with that cause, and the next one works', async () => {
  const writer = open('a.db', 'write');
  const database = new Kysely<{ texts: { text: string } }>({
    dialect: sqliteDialect(writer, 'BEGIN IMMEDIATE'),
  });
  await sql`CREATE TABLE texts (text TEXT)`.execute(database);
  await sql`PRAGMA max_page_count = 20`.execute(database);
  const add = (text: string) =>
    database.transaction().execute((within) => within.insertInto('texts').values({ text }).execute());
  await expect(add('x'.repeat(500_000))).rejects.toMatchObject({
    cause: expect.objectContaining({ message: 'database or disk is full' }),
  });
  await add('y');
  expect(await database.selectFrom('texts').selectAll().execute()).toEqual([{ text: 'y' }]);
});

test('a thread that hangs is given up; one that is only busy is not', async () => {
  const causes: unknown[] = [];
  const writer = open('a.db', 'write', (cause) => causes.push(cause));
  await writer.begin();
  writer.watch(10);
  const busyUntil = Date.now() + 600;
  while (Date.now() < busyUntil) await writer.query('SELECT 1', [], writer);
  expect(causes).toEqual([]);
  const counts = (
    most: number,
  ) => `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < ${most})
    SELECT count(*) AS n FROM c`;
  const hanging = writer.query(counts(15_000_000), [], writer);
  await expect(hanging).rejects.toMatchObject({ code: 'unavailable' });
  expect(causes).toEqual([expect.objectContaining({ message: expect.stringMatching(/does not answer/) })]);
  await expect(writer.begin()).rejects.toMatchObject({ code: 'unavailable' });
});

test('closing a thread is not reported as losing it', async () => {
  const causes: unknown[] = [];
  const writer = open('a.db', 'write', (cause) => causes.push(cause));
  await writer.begin();
  await writer.close();
  await expect(writer.begin()).rejects.toMatchObject({ code: 'unavailable' });
  expect(causes).toEqual([]);
});
