import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogStore } from '../store/logs/log-store.ts';
import type { Database } from '../store/database/database.ts';
import type { LogReader, MakeLogFile } from '../http/api/logs/log-csv.ts';
import { createLogFiles } from './log-file-threads.ts';
import { type EmptyDatabase, emptyDatabases } from './testing/empty-databases.ts';

/** A long log file is written in a separate thread and has the same content. */

const ROWS = 6000;
const OWN = { userId: 1 };
const reader: LogReader = {
  language: 'en',
  quotaPerUnit: 500_000,
  isAdmin: true,
  hidesAddressesOf: new Set([1]),
};

/** Signs that mean something to a program for tables, to PostgreSQL's copies, or to who shows a text. */
const ODD = [
  'a\tb',
  '\\N',
  'C:\\new',
  '=1+1',
  '\t-1',
  `"q", 'p'`,
  'a\nb\rc',
  '€ 多 😀\u2028\u200B',
  '{"say":"x"}',
  '',
];

const fill = async ({ writer }: Database): Promise<void> => {
  for (const [at, name] of ODD.entries())
    await sql`INSERT INTO names (id, name) VALUES (${at + 1}, ${`${name} name`})`.execute(writer);
  await sql`INSERT INTO usage_hours (hour, type, user_id, token_id, token_name_id, model_id, channel_id, group_id, calls, quota,
    prompt_tokens, completion_tokens, log_rows, log_quota)
    VALUES (0, 2, 1, 1, 1, 1, 1, 1, ${ROWS}, 1, 1, 1, ${ROWS}, 1)`.execute(writer);
  await sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    INSERT INTO logs (created_at, type, user_id, username_id, token_id, token_name_id, channel_id, group_id, model_id, quota,
      prompt_tokens, completion_tokens, use_time_ms, is_stream, ip, request_id, content, other, cost)
    SELECT i / 7 * 100, 2 + i % 3, 1, 1 + i % 10, 1, 1 + i % 9, 1, 1 + i % 8, 1 + i % 7, i, 1, 1, 1, 1, '192.0.2.7',
      cast(i AS TEXT), name, name, nullif(i % 11, 0)
    FROM n JOIN names ON names.id = 1 + i % 10 ORDER BY n.i`.execute(writer);
};

const textOf = async (make: MakeLogFile): Promise<string> => {
  const { pieces, rows } = await make(OWN, reader);
  expect(rows).toBe(ROWS);
  const all: Uint8Array[] = [];
  for await (const piece of pieces()) all.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  return Buffer.concat(all).toString();
};
const MANY = ROWS + 1;

describe.each(emptyDatabases)('a file of logs on $name', ({ open }) => {
  let place: EmptyDatabase;
  let elsewhere: MakeLogFile;
  let here: MakeLogFile;
  beforeAll(async () => {
    place = await open();
    await fill(place.database);
    const logs = createLogStore(place.database);
    elsewhere = createLogFiles(place.config, logs, 1);
    here = createLogFiles(place.config, logs, MANY);
  });
  afterAll(() => place.end());

  it('is the same from another thread, byte for byte', async () => {
    const text = await textOf(elsewhere);
    expect(text.match(/\r\n/g)).toHaveLength(ROWS + 1);
    expect(text).not.toContain('192.0.2.7');
    expect(text).toBe(await textOf(here));
    // Several rows of one moment are on two pages.
    const numbers = Array.from(text.matchAll(/^\d{4}-\d\d-\d\dT[\d:.]+Z,\w+,(\d+),/gm), ([, number]) =>
      Number(number),
    );
    expect(numbers).toEqual(Array.from({ length: ROWS }, (_, at) => ROWS - at));
    expect(text).toContain(`,'=1+1 name,`);
  });

  it('whose reader left ends its thread, and one whose database is away breaks off', async () => {
    const { pieces } = await elsewhere(OWN, reader);
    for await (const piece of pieces()) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    const away = createLogFiles(
      { engine: 'sqlite', file: '/nowhere/at/all.db' },
      createLogStore(place.database),
      1,
    );
    const file = await away(OWN, reader);
    await expect(file.pieces().next()).rejects.toThrow();
  });
});
