import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database/database.ts';
import { runSteps } from '../database/migrate.ts';
import { brokenRules } from '../testing/broken-rules.ts';
import { createLedger } from '../ledger/ledger.ts';
import { callLog, givenChannel, givenToken, givenUser } from '../testing/accounts.ts';
import { type EmptyPlace, type Engine, engines } from '../testing/engines.ts';
import { givenCode, givenOrder } from '../testing/vouchers.ts';
import { createStatementStore } from '../wallet/statement-store.ts';
import { restoreBackup } from './restore-backup.ts';
import { backUpDatabase, writeBackup } from './write-backup.ts';

const NOW_MS = 10_000;
/** More than one page of a table. */
const CALLS = 2_300;
/** With everything that some reader takes for the end of a line. */
const WORDS = `关口 "O'Hara"\n\r\r\n\v\f\u0085\u2028\u2029🚪`;

let folder: string;
let places: EmptyPlace[];
let opened: Database[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-'));
  [places, opened] = [[], []];
});

afterEach(async () => {
  for (const database of opened) await database.close();
  for (const place of places) await place.remove();
  rmSync(folder, { recursive: true });
});

const place = async (engine: Engine) => {
  const found = await engine.place();
  places.push(found);
  return found.config;
};

const open = async (...args: Parameters<typeof openDatabase>): Promise<Database> => {
  const database = await openDatabase(...args);
  opened.push(database);
  return database;
};

const settledCall = (ledger: ReturnType<typeof createLedger>, userId: number) => async (id: string) => {
  await ledger.hold({ id, userId, tokenId: null, quotaUnits: 50, nowMs: 2_000, expiresAtMs: 602_000 });
  const log = callLog({ requestId: id, userId });
  await ledger.settle({ id, quotaUnits: 7, nowMs: 3_000, log, writeLog: true });
};

/** Something in every corner: calls settled and open, codes, orders, keys, words of every script. */
const seed = async (database: Database, calls: number): Promise<number> => {
  const ledger = createLedger(database);
  const userId = await givenUser(database, ledger, 1_000_000);
  await givenToken(database, userId, 500);
  await givenChannel(database);
  await givenCode(database);
  await givenOrder(database, userId);
  await sql`INSERT INTO facts (key, value) VALUES ('name', ${WORDS})`.execute(database.writer);
  // After this, SQLite says that the last number of the empty table was 0.
  await sql`INSERT INTO passkeys SELECT * FROM passkeys`.execute(database.writer);
  await Promise.all(
    Array.from({ length: calls }, (_, index) => settledCall(ledger, userId)(`call ${index}`)),
  );
  const open = { userId, tokenId: null, quotaUnits: 50, nowMs: 2_000, expiresAtMs: 602_000 };
  await ledger.hold({ id: 'open', ...open });
  await ledger.close();
  return userId;
};

const backUp = async (database: Database, name: string): Promise<string> => {
  await writeBackup(database, join(folder, name), NOW_MS);
  return gunzipSync(readFileSync(join(folder, name))).toString();
};

const violated = async (database: Database) => await brokenRules(database, NOW_MS);

const usable = engines.filter(({ missing }) => missing === undefined);

for (const from of usable) {
  for (const to of usable) {
    it(`what was kept on ${from.name} is the same on ${to.name}, to the last row, and its audit is clean`, async () => {
      const database = await open(await place(from));
      const owner = { userId: await seed(database, CALLS), tokenId: 0, tag: '' };
      const issued = await createStatementStore(database).issue(owner, '2026-01', {
        nowMs: NOW_MS,
        unitsPerDollar: 500_000,
      });
      // The highest number is of a row that is gone.
      const gone = await givenCode(database);
      await sql`DELETE FROM redemptions WHERE id = ${gone}`.execute(database.writer);
      const written = await backUp(database, 'first');
      expect(written.split('\n').length).toBeGreaterThan(CALLS);

      const target = await place(to);
      await restoreBackup(target, join(folder, 'first'));
      const restored = await open(target);
      expect(await backUp(restored, 'second')).toBe(written);
      expect(await violated(restored)).toEqual([]);
      expect(await givenCode(restored)).toBe(gone + 1);
      // Frozen in January: with its hash it is a proof, also after the move.
      expect(issued.statement.charged_before_units).toBe(CALLS * 7);
      expect(await createStatementStore(restored).find(owner, '2026-01')).toEqual(issued);
    });
  }
}

for (const engine of usable) {
  describe(`on ${engine.name}`, () => {
    it('a backup taken while calls are settled is one moment of them, whose audit is clean', async () => {
      const database = await open(await place(engine));
      const ledger = createLedger(database);
      const userId = await givenUser(database, ledger, 1_000_000);
      const calls = Array.from({ length: 1_500 }, (_, index) => `call ${index}`);
      const settled = Promise.all(calls.map(settledCall(ledger, userId)));
      await backUp(database, 'running');
      await settled;
      await ledger.close();
      const target = await place(engine);
      await restoreBackup(target, join(folder, 'running'));
      expect(await violated(await open(target))).toEqual([]);
    });

    it('where there is no database yet, nothing is backed up', async () => {
      const at = await place(engine);
      const backingUp = backUpDatabase(at, join(folder, 'nothing'), NOW_MS);
      await expect(backingUp).rejects.toThrow('there is no database here yet');
      // Looking creates none.
      expect(at.engine === 'sqlite' && existsSync(at.file)).toBe(false);
    });

    it('a backup of an older version is brought up to date', async () => {
      const older = await open(await place(engine), (writer, name) =>
        writer.transaction().execute((all) => runSteps(all, name, new Set(['0001-accounts', '0002-money']))),
      );
      await sql`INSERT INTO facts (key, value) VALUES ('old', 'kept')`.execute(older.writer);
      await backUp(older, 'older');
      const target = await place(engine);
      await restoreBackup(target, join(folder, 'older'));
      const restored = await open(target);
      expect(await violated(restored)).toEqual([]);
      expect(await restored.writer.selectFrom('facts').selectAll().execute()).toEqual([
        { key: 'old', value: 'kept' },
      ]);
    });

    it('nothing is restored over a database, from half a backup, from a newer one, or from another file', async () => {
      const database = await open(await place(engine));
      await seed(database, 10);
      const text = await backUp(database, 'whole');
      const target = await place(engine);
      const refusal = async (name: string, content: string | Buffer) => {
        writeFileSync(join(folder, name), content);
        return restoreBackup(target, join(folder, name)).then(
          () => 'restored',
          (thrown: Error) => thrown.message,
        );
      };
      const bytes = readFileSync(join(folder, 'whole'));
      const damaged = 'the backup is damaged or cut off; nothing was restored';
      const lines = text.trimEnd().split('\n');
      const lastRow = lines.findLastIndex((line) => line.startsWith('['));
      expect(await refusal('cut', bytes.subarray(0, bytes.length - 100))).toBe(damaged);
      expect(await refusal('no end', gzipSync(lines.slice(0, -1).join('\n')))).toBe(damaged);
      expect(await refusal('a row short', gzipSync(lines.toSpliced(lastRow, 1).join('\n')))).toBe(damaged);
      expect(await refusal('no backup', 'SQLite format 3')).toBe(damaged);
      expect(await refusal('newer', gzipSync(text.replace('0014-node-leases', '9999-later')))).toContain(
        'newer version (it has the step 9999-later)',
      );
      await expect(restoreBackup(target, join(folder, 'none'))).rejects.toThrow('cannot be read: ENOENT');
      await restoreBackup(target, join(folder, 'whole'));
      expect(await refusal('again', bytes)).toBe(
        'there is a database here already: restore into an empty one',
      );
      expect(await backUp(await open(target), 'restored')).toBe(text);
    });
  });
}

it('a backup is its owner’s alone and replaces no file', async () => {
  const [engine] = usable;
  const database = await open(await place(engine as Engine));
  await backUp(database, 'once');
  expect(statSync(join(folder, 'once')).mode & 0o777).toBe(0o600);

  await expect(backUp(database, 'once')).rejects.toThrow('once is there already');
  // Made by somebody else while the backup was written.
  const amid: Database = {
    ...database,
    snapshot: (read) => {
      writeFileSync(join(folder, 'amid'), 'of somebody else');
      return database.snapshot(read);
    },
  };
  await expect(backUp(amid, 'amid')).rejects.toThrow('the backup cannot be written: EEXIST');
  expect(readFileSync(join(folder, 'amid'), 'utf8')).toBe('of somebody else');
  expect(readdirSync(folder).toSorted()).toEqual(['amid', 'once']);
});

it('under its name a backup is whole: what a killed one leaves has another name, and the next one says so', async () => {
  const [engine] = usable;
  const database = await open(await place(engine as Engine));
  const seen: string[][] = [];
  const watched: Database = {
    ...database,
    snapshot: async (read) => {
      const done = await database.snapshot(read);
      seen.push(readdirSync(folder));
      return done;
    },
  };
  await backUp(watched, 'whole');
  expect([seen, readdirSync(folder)]).toEqual([[['whole.part']], ['whole']]);
  writeFileSync(join(folder, 'killed.part'), 'half of it');
  await expect(backUp(database, 'killed')).rejects.toThrow(/killed\.part is there: .* remove what one left/);
  expect(readdirSync(folder).toSorted()).toEqual(['killed.part', 'whole']);
});
