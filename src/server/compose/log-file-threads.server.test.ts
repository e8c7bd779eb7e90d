import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogStore } from '../store/logs/log-store.ts';
import type { Database } from '../store/database/database.ts';
import type { Download } from '../http/handler.ts';
import type { MakeRowFile, RowFile } from '../http/api/logs/row-files.ts';
import { createLogFiles } from './log-file-threads.ts';
import { type EmptyDatabase, emptyDatabases } from './testing/empty-databases.ts';

/** A long log file is written in a separate thread and has the same content. */

const ROWS = 3000;
const ROWS_A_PIECE = 200;
const CHARGED = ROWS / 3;
const OWN = { userId: 1 };
const SHOWN: RowFile = {
  of: 'logs',
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
  await sql`INSERT INTO log_days (day, type, model_id, channel_id, group_id, log_rows, log_quota)
    VALUES (0, 2, 1, 1, 1, ${CHARGED}, 1)`.execute(writer);
  await sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    INSERT INTO logs (created_at, type, user_id, username_id, token_id, token_name_id, channel_id, group_id, model_id, quota,
      prompt_tokens, completion_tokens, use_time_ms, is_stream, ip, request_id, content, other, cost)
    SELECT i / 7 * 100, 2 + i % 3, 1, 1 + i % 10, 1, 1 + i % 9, 1, 1 + i % 8, 1 + i % 7, i, 1, 1, 1, 1, '192.0.2.7',
      cast(i AS TEXT), name, '{"upstream_model_name":"\\\\' || i || '"}', nullif(i % 11, 0)
    FROM n JOIN names ON names.id = 1 + i % 10 ORDER BY n.i`.execute(writer);
};

const piecesOf = async ({ pieces }: Download): Promise<string[]> =>
  (await Array.fromAsync(pieces())).map((piece) =>
    typeof piece === 'string' ? piece : Buffer.from(piece).toString(),
  );
const textOf = async (file: Download): Promise<string> => (await piecesOf(file)).join('');
const MANY = ROWS + 1;

describe.each(emptyDatabases)('a file of logs on $name', ({ open }) => {
  let place: EmptyDatabase;
  let elsewhere: MakeRowFile;
  let here: MakeRowFile;
  beforeAll(async () => {
    place = await open();
    await fill(place.database);
    const logs = createLogStore(place.database);
    elsewhere = createLogFiles(place.config, logs, 1);
    here = createLogFiles(place.config, logs, MANY);
  });
  afterAll(() => place.end());

  it('is the same from another thread, byte for byte', async () => {
    const file = await elsewhere(OWN, SHOWN);
    expect(file.rows).toBe(ROWS);
    const pieces = await piecesOf(file);
    // The names of the columns, then full pieces: the thread rests after each.
    expect(pieces).toHaveLength(1 + ROWS / ROWS_A_PIECE);
    const text = pieces.join('');
    expect(text.match(/\r\n/g)).toHaveLength(ROWS + 1);
    expect(text).not.toContain('192.0.2.7');
    expect(text).toBe(await textOf(await here(OWN, SHOWN)));
    // Several rows of one moment are on two pages.
    const numbers = Array.from(text.matchAll(/^\d{4}-\d\d-\d\dT[\d:.]+Z,\w+,(\d+),/gm), ([, number]) =>
      Number(number),
    );
    expect(numbers).toEqual(Array.from({ length: ROWS }, (_, at) => ROWS - at));
    expect(text).toContain(`,'=1+1 name,`);
  });

  it('that shows what calls say about their upstream is the same from another thread too', async () => {
    const filter = { channelId: 1, type: 2, withDetails: true };
    const sealed = [{ day: 3, model: 'a model', verdict: 'right', questions: 2 }];
    const [far, near] = await Promise.all(
      [elsewhere, here].map((make) => make(filter, { of: 'evidence', channelId: 1, sealed })),
    );
    expect([far?.rows, far?.fileName]).toEqual([CHARGED + 1, 'evidence-1.csv']);
    const text = await textOf(far as Download);
    expect(text.split('\r\n').slice(1, -2)[0]).toContain(`,${ROWS},\\${ROWS},`);
    expect(text.split('\r\n').at(-2)).toBe('1970-01-04,,a model,,,,,,,,,,,right,2');
    expect(text).toBe(await textOf(near as Download));
  });

  it('whose reader left ends its thread, and one whose database is away breaks off', async () => {
    const { pieces } = await elsewhere(OWN, SHOWN);
    for await (const piece of pieces()) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    const away = createLogFiles(
      { engine: 'sqlite', file: '/nowhere/at/all.db' },
      createLogStore(place.database),
      1,
    );
    const file = await away(OWN, SHOWN);
    await expect(file.pieces().next()).rejects.toThrow();
  });
});
