import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { copiedLines, copiedRows } from './copy-out.ts';

const ROWS = 60_000;
/** Of the event loop, in which far more would come than may wait. */
const TURNS = 100;

for (const engine of engines.filter(({ name }) => name === 'postgres')) {
  describe.skipIf(engine.missing !== undefined)('rows copied out of PostgreSQL', () => {
    let opened: TestDatabase;
    beforeAll(async () => {
      opened = await engine.create();
    });
    afterAll(() => opened.remove());
    const numbers = sql`SELECT i, NULL, 'ü' || i FROM generate_series(1, ${sql.lit(ROWS)}) AS few(i)`;

    it('come whole and in pieces, with nothing for null', async () => {
      const pieces = await opened.database.snapshot(async (moment) => {
        const all: string[] = [];
        for await (const piece of copiedLines(moment, numbers, ';')) all.push(piece);
        return all;
      });
      expect(pieces.length).toBeGreaterThan(2);
      expect(pieces.every((piece) => piece.endsWith('\n'))).toBe(true);
      const expected = Array.from({ length: ROWS }, (_, at) => `${at + 1};;ü${at + 1}\n`);
      expect(pieces.join('')).toBe(expected.join(''));
    });

    it('are the values that a query finds, whatever is in them, and whatever it looks for', async () => {
      const odd = [
        '',
        '\\N',
        '\\',
        'a\tb',
        'a\nb',
        'a\r\nb',
        '\b\f\v',
        '\\t',
        "it's",
        '"',
        '€😀\u2028',
        'x\\',
        "\\' OR 1 = 1 --",
      ];
      const { reader } = opened.database;
      for (const text of odd) {
        const found = sql`SELECT ${text}::text, NULL, ${-7}::int8, ${text}::text || '|' WHERE ${text}::text = ${text}`;
        expect(await copiedRows(reader, found)).toEqual([[text, null, '-7', `${text}|`]]);
      }
      const { rows } = await sql<{ text: string }>`SELECT * FROM unnest(${odd}::text[]) AS few(text)`.execute(
        reader,
      );
      const all = sql`SELECT * FROM unnest(ARRAY[${sql.join(odd)}]) AS few(text)`;
      expect(await copiedRows(reader, all)).toEqual(rows.map(({ text }) => [text]));
      expect(await copiedRows(reader, sql`SELECT 1 WHERE false`)).toEqual([]);
    });

    it('wait in bounded memory for a slow reader', async () => {
      const most = await opened.database.snapshot(async (moment) => {
        let longest = 0;
        for await (const piece of copiedLines(moment, numbers, ';')) {
          longest = Math.max(longest, piece.length);
          for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
        }
        return longest;
      });
      expect(most).toBeLessThan(512 * 1024);
    });

    it('stopping early keeps the connection usable, and a wrong query is an error', async () => {
      const first = await opened.database.snapshot(async (moment) => {
        let begin = '';
        for await (const piece of copiedLines(moment, numbers, ';')) {
          begin = piece.slice(0, 3);
          break;
        }
        const { rows } = await sql<{ one: number }>`SELECT 1 AS one`.execute(moment);
        return [begin, rows[0]?.one];
      });
      expect(first).toEqual(['1;;', 1]);
      const failing = opened.database.snapshot(async (moment) => {
        for await (const _ of copiedLines(moment, sql`SELECT nothing FROM nowhere`, ';'))
          expect.unreachable();
      });
      await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
    });
  });
}
