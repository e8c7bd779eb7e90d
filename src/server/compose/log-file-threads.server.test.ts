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

const fill = async ({ writer }: Database): Promise<void> => {
  await sql`INSERT INTO names (id, name) VALUES (1, 'a name')`.execute(writer);
  await sql`INSERT INTO usage_hours (hour, type, user_id, token_id, token_name_id, model_id, channel_id, group_id, calls, quota,
    prompt_tokens, completion_tokens, log_rows, log_quota)
    VALUES (0, 2, 1, 1, 1, 1, 1, 1, ${ROWS}, 1, 1, 1, ${ROWS}, 1)`.execute(writer);
  await sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    INSERT INTO logs (created_at, type, user_id, username_id, token_id, token_name_id, channel_id, group_id, model_id, quota,
      prompt_tokens, completion_tokens, use_time_ms, is_stream, ip, request_id, content, other, cost)
    SELECT i / 7 * 100, 2, 1, 1, 1, 1, 1, 1, 1, i, 1, 1, 1, 1, '192.0.2.7', cast(i AS TEXT), '', '', i % 11 FROM n`.execute(
    writer,
  );
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
    expect(text.split('\r\n')).toHaveLength(ROWS + 2);
    expect(text).not.toContain('192.0.2.7');
    expect(text).toBe(await textOf(here));
    // Several rows of one moment are on two pages.
    const numbers = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[2]);
    expect(numbers).toEqual(Array.from({ length: ROWS }, (_, at) => String(ROWS - at)));
    expect(text).toContain(',a name,');
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
