import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '#core/error.ts';
import { type Database, type DatabaseConfig, openDatabase } from '../database/database.ts';
import { migrate, runSteps } from '../database/migrate.ts';
import type { Schema } from '../database/schema.ts';
import { isEmpty } from './is-empty.ts';
import { endLine, headLine, type Row, rowLine, type TableLine, tableLine } from './backup-lines.ts';

type Engine = Database['engine'];
type Writer = Kysely<Schema>;

/** Both engines accept this many values in one statement. */
const VALUES_AT_ONCE = 30_000;
const LF = 0x0a;

const damaged = (cause?: unknown): AppError =>
  new AppError('unavailable', 'the backup is damaged or cut off; nothing was restored', { cause });

/**
 * Yields the text between line feeds. Node's own line reader also splits at U+2028 and U+2029, which JSON does not
 * escape: one name with such a character made a whole backup unreadable.
 */
async function* linesOf(pieces: AsyncIterable<Buffer>) {
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(LF); end !== -1; end = piece.indexOf(LF, from)) {
      yield Buffer.concat([...begun, piece.subarray(from, end)]).toString();
      begun = [];
      from = end + 1;
    }
    if (from < piece.length) begun.push(piece.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString();
}

/** Yields a file's lines one at a time. Refuses a file that is not a complete backup. */
async function* linesIn(file: string) {
  const text = createGunzip();
  // An error of the file also fails the text stream, where it is handled.
  pipeline(createReadStream(file), text, () => {});
  try {
    for await (const line of linesOf(text)) yield JSON.parse(line) as unknown;
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw damaged(cause);
    throw new AppError('unavailable', `the backup cannot be read: ${cause.message}`, { cause });
  }
}

const checked = <Value>(schema: z.ZodType<Value>, value: unknown): Value => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw damaged(result.error);
};

const insert = async (writer: Writer, { table, columns }: TableLine, rows: readonly Row[]): Promise<void> => {
  if (rows.length === 0) return;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const tuples = sql.join(rows.map((row) => sql`(${sql.join(row)})`));
  await sql`INSERT INTO ${sql.table(table)} (${names}) VALUES ${tuples}`.execute(writer);
};

/** Continues the ids, so that none is assigned twice, not even that of a deleted row. */
const goOnNumbering = async (writer: Writer, engine: Engine, { table, columns, lastId }: TableLine) => {
  // SQLite has 0 if no id was assigned yet; PostgreSQL refuses 0.
  if (lastId === null || lastId === 0) return;
  if (engine === 'postgres') {
    await sql`SELECT setval(pg_get_serial_sequence(${table}, ${columns[0]}), ${lastId})`.execute(writer);
    return;
  }
  await sql`DELETE FROM sqlite_sequence WHERE name = ${table}`.execute(writer);
  await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${lastId})`.execute(writer);
};

const loadTables = async (writer: Writer, engine: Engine, lines: AsyncIterable<unknown>): Promise<void> => {
  let table: TableLine | undefined;
  let waiting: Row[] = [];
  let [count, told] = [0, -1];
  const write = async (): Promise<void> => {
    if (table !== undefined) await insert(writer, table, waiting);
    waiting = [];
  };
  const leaveTable = async (): Promise<void> => {
    await write();
    if (table !== undefined) await goOnNumbering(writer, engine, table);
  };
  for await (const line of lines) {
    if (Array.isArray(line)) {
      const row = checked(rowLine, line);
      if (table?.columns.length !== row.length) throw damaged();
      waiting.push(row);
      count += 1;
      if ((waiting.length + 1) * row.length > VALUES_AT_ONCE) await write();
      continue;
    }
    await leaveTable();
    const next = checked(z.union([tableLine, endLine]), line);
    if ('table' in next) table = next;
    else [told, table] = [next.rows, undefined];
  }
  if (told !== count) throw damaged();
};

/** Creates the tables as they were and fills them. Leaves nothing behind if it fails. */
const restoreInto = async (writer: Writer, engine: Engine, file: string): Promise<void> => {
  if (!(await isEmpty(writer, engine)))
    throw new AppError('unavailable', 'there is a database here already: restore into an empty one');
  await writer.transaction().execute(async (transaction) => {
    const lines = linesIn(file);
    const { steps } = checked(headLine, (await lines.next()).value);
    await runSteps(transaction, engine, new Set(steps));
    await loadTables(transaction, engine, lines);
  });
  // A backup of an older version is migrated as its database would have been.
  await migrate(writer, engine);
};

/** Fills an empty database of either engine from a backup. Throws `unavailable` with a sentence for the operator. */
export const restoreBackup = async (config: DatabaseConfig, file: string): Promise<void> => {
  const database = await openDatabase(config, (writer, engine) => restoreInto(writer, engine, file));
  await database.close();
};
