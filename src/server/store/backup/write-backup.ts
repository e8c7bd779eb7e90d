import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { AppError } from '#core/error.ts';
import { type Database, type DatabaseConfig, existing, openDatabase } from '../database/database.ts';
import { isNameTaken, nameWhole } from '../database/private-files.ts';
import type { Schema } from '../database/schema.ts';
import { isEmpty } from './is-empty.ts';
import { BACKUP_FORMAT, type Row, type TableLine } from './backup-lines.ts';

type Engine = Database['engine'];
type Moment = Kysely<Schema>;

/**
 * The list of running nodes is left out, with what they were doing: none of them runs after a restore, which closes their holds.
 * So are tables that are derived from others, with the list of the hours they cover.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'nodes',
  'polled_channels',
  'schema_steps',
  'usage_totals',
  'packed_calls',
  'totalled_hours',
]);
/** Other tables refer to it, so it is restored first. */
const FIRST = 'users';
const ROWS_AT_ONCE = 1000;

const values = async <Value>(moment: Moment, query: ReturnType<typeof sql<{ value: Value }>>) =>
  (await query.execute(moment)).rows.map(({ value }) => value);

const tablesOf = async (moment: Moment, engine: Engine): Promise<readonly string[]> => {
  const all = await values<string>(
    moment,
    engine === 'sqlite'
      ? sql`SELECT name AS value FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
      : sql`SELECT tablename AS value FROM pg_tables WHERE schemaname = current_schema()`,
  );
  const kept = all.filter((name) => !LEFT_OUT.has(name) && name !== FIRST).toSorted();
  return [FIRST, ...kept];
};

const columnsOf = (moment: Moment, engine: Engine, table: string): Promise<string[]> =>
  values(
    moment,
    engine === 'sqlite'
      ? sql`SELECT name AS value FROM pragma_table_info(${table}) ORDER BY cid`
      : sql`SELECT column_name AS value FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = ${table} AND is_generated = 'NEVER' ORDER BY ordinal_position`,
  );

const keyOf = (moment: Moment, engine: Engine, table: string): Promise<string[]> =>
  values(
    moment,
    engine === 'sqlite'
      ? sql`SELECT name AS value FROM pragma_table_info(${table}) WHERE pk > 0 ORDER BY pk`
      : sql`SELECT a.attname::text AS value FROM pg_index i
          JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
          WHERE i.indrelid = ${table}::regclass AND i.indisprimary
          ORDER BY array_position(i.indkey::int2[], a.attnum)`,
  );

const lastIdOf = async (
  moment: Moment,
  engine: Engine,
  table: string,
  key: string,
): Promise<number | null> => {
  const [last] = await values<number | null>(
    moment,
    engine === 'sqlite'
      ? sql`SELECT seq AS value FROM sqlite_sequence WHERE name = ${table}`
      : sql`SELECT pg_sequence_last_value(pg_get_serial_sequence(${table}, ${key})::regclass) AS value`,
  );
  // SQLite has 0 for a table into which no row was ever inserted.
  return last || null;
};

/** A table's rows in the order of its primary key, some at a time. */
async function* rowsOf(moment: Moment, table: string, columns: readonly string[], key: readonly string[]) {
  const keys = sql.join(key.map((column) => sql.ref(column)));
  let after = sql``;
  for (;;) {
    const { rows } = await sql<Record<string, Row[number]>>`
      SELECT * FROM ${sql.table(table)} ${after} ORDER BY ${keys} LIMIT ${ROWS_AT_ONCE}`.execute(moment);
    for (const row of rows) yield columns.map((column) => row[column] ?? null);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    after = sql`WHERE (${keys}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}

async function* linesOf(moment: Moment, engine: Engine, nowMs: number) {
  const steps = await values<string>(moment, sql`SELECT name AS value FROM schema_steps ORDER BY name`);
  yield { tollgateBackup: BACKUP_FORMAT, createdAtMs: nowMs, steps };
  let count = 0;
  for (const table of await tablesOf(moment, engine)) {
    const columns = await columnsOf(moment, engine, table);
    const key = await keyOf(moment, engine, table);
    const lastId = await lastIdOf(moment, engine, table, key[0] ?? '');
    yield { table, columns, lastId } satisfies TableLine;
    for await (const row of rowsOf(moment, table, columns, key)) {
      count += 1;
      yield row;
    }
  }
  yield { rows: count };
}

async function* textOf(lines: AsyncIterable<unknown>) {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/** The ending of the file name while a backup is being written. */
const PART = '.part';

/**
 * Refuses an existing file before the backup, which may take long. An existing `.part` belongs to a running backup, or
 * to one that was killed.
 */
const openPart = async (file: string, part: string): Promise<FileHandle> => {
  if (isNameTaken(file)) throw notBackedUp(`${file} is there already`);
  if (isNameTaken(part))
    throw notBackedUp(
      `${part} is there: either another backup writes it, or remove what one left that was cut off`,
    );
  return open(part, 'wx', 0o600).catch((thrown: unknown) => {
    throw notWritten(thrown);
  });
};

/**
 * Writes a consistent snapshot of a database, which may be in use, to a new file that only its owner can read. The file
 * gets its name once it is complete, so a file of that name is a whole backup even if the process was killed. Encrypted
 * values stay encrypted under the master key, which is not included. Throws `unavailable` if the file exists.
 */
export const writeBackup = async (database: Database, file: string, nowMs: number): Promise<void> => {
  const part = `${file}${PART}`;
  const target = await openPart(file, part);
  try {
    await database.snapshot((moment) =>
      pipeline(
        Readable.from(textOf(linesOf(moment, database.engine, nowMs))),
        createGzip(),
        target.createWriteStream({ flush: true }),
      ),
    );
    nameWhole(part, file);
  } catch (thrown) {
    await rm(part, { force: true });
    throw notWritten(thrown);
  } finally {
    // Closed already, unless the database could not be read.
    await target.close();
  }
};

const notBackedUp = (why: string, cause?: unknown): AppError =>
  new AppError('unavailable', `the backup cannot be written: ${why}`, { cause });

/** The operator is told that the disk is full; a failure of the database has a message of its own. */
const notWritten = (thrown: unknown): unknown =>
  thrown instanceof Error && 'syscall' in thrown ? notBackedUp(thrown.message, thrown) : thrown;

const mustBeThere = async (writer: Moment, engine: Engine): Promise<void> => {
  if (await isEmpty(writer, engine)) throw new AppError('unavailable', 'there is no database here yet');
};

/** Writes a backup of a database without migrating it, because a server of an older version may be using it. */
export const backUpDatabase = async (config: DatabaseConfig, file: string, nowMs: number): Promise<void> => {
  const database = await openDatabase(existing(config), mustBeThere);
  try {
    await writeBackup(database, file, nowMs);
  } finally {
    await database.close();
  }
};
