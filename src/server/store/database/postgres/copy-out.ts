import { createQueryId, type Kysely, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';
import { type Connection, escapeLiteral, type PoolClient, type Submittable } from 'pg';
import type { Schema } from '../schema.ts';
import { storable } from '../storable.ts';

/** About the size of one socket read. */
const PIECE_BYTES = 65_536;
/** When this much is waiting to be taken, reading pauses. */
const MOST_WAITING_BYTES = 4 * PIECE_BYTES;

/** A row as the driver passes it. The driver reuses its buffer. */
interface CopiedRow {
  readonly chunk: Buffer;
}

/** A running `COPY … TO STDOUT`: gathers rows until they are taken. */
class CopyOut implements Submittable {
  readonly #statement: string;
  #connection: Connection | undefined;
  #rows = Buffer.allocUnsafe(PIECE_BYTES);
  #length = 0;
  #isPaused = false;
  #isOver = false;
  #failed: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(statement: string) {
    this.#statement = statement;
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.#statement);
  }

  handleCopyData({ chunk }: CopiedRow): void {
    const end = this.#length + chunk.length;
    if (end > this.#rows.length) {
      const larger = Buffer.allocUnsafe(Math.max(end, this.#rows.length * 2));
      larger.set(this.#rows.subarray(0, this.#length));
      this.#rows = larger;
    }
    this.#rows.set(chunk, this.#length);
    this.#length = end;
    if (end > MOST_WAITING_BYTES && !this.#isPaused) {
      this.#isPaused = true;
      this.#connection?.stream.pause();
    }
    this.#turn();
  }

  // The event after this one marks the end: only then can the connection be used again.
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#isOver = true;
    this.#turn();
  }

  handleError(error: Error): void {
    this.#failed ??= error;
    this.#isOver = true;
    this.#turn();
  }

  /**
   * Returns the rows that arrived since the last call; waits for some, and returns undefined after the last. Throws the
   * server's error.
   */
  async take(): Promise<string | undefined> {
    while (this.#length === 0 && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#failed !== undefined) throw this.#failed;
    if (this.#length === 0) return undefined;
    const text = this.#rows.toString('utf8', 0, this.#length);
    this.#length = 0;
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#connection?.stream.resume();
    }
    return text;
  }

  #turn(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

/** A row of `streamQuery`: complete lines with their line ends. */
export interface CopiedLines {
  readonly lines: string;
}

/** Runs a `COPY … TO STDOUT` of text. If the reader stops early, the remaining rows are read and dropped. */
export async function* copyOut(client: PoolClient, statement: string): AsyncGenerator<CopiedLines> {
  const copy = client.query(new CopyOut(statement));
  let lines = await copy.take();
  try {
    for (; lines !== undefined; lines = await copy.take()) yield { lines };
  } finally {
    while (lines !== undefined) lines = await copy.take();
  }
}

/** Writes values into the statement: COPY accepts no parameters. */
class ValuesWritten extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value === null || typeof value === 'number') this.append(String(value));
    else if (typeof value === 'string') this.append(escapeLiteral(storable(value)));
    else throw new TypeError(`COPY is given a ${typeof value}`);
  }
}

async function* piecesOf(moment: Kysely<Schema>, copy: RawBuilder<CopiedLines>): AsyncGenerator<string> {
  const statement = new ValuesWritten().compileQuery(copy.toOperationNode(), createQueryId());
  for await (const { rows } of moment.getExecutor().stream<CopiedLines>(statement, 1))
    for (const { lines } of rows) yield lines;
}

/**
 * Streams the rows of a query as PostgreSQL writes them, without creating objects or values: pieces of complete lines,
 * `separator` between columns, nothing for null.
 */
export const copiedLines = (
  moment: Kysely<Schema>,
  query: RawBuilder<unknown>,
  separator: string,
): AsyncGenerator<string> =>
  // PostgreSQL quotes a value that contains the separator, the quote sign or a line end; none of our rows does.
  piecesOf(
    moment,
    sql`COPY (${query}) TO STDOUT (FORMAT csv, DELIMITER ${sql.lit(separator)}, QUOTE ${sql.lit('\u0001')})`,
  );

/** The letter that PostgreSQL writes after a backslash, and the character it stands for. */
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

const valueOf = (written: string): string | null => {
  if (!written.includes('\\')) return written;
  if (written === '\\N') return null;
  return written.replaceAll(/\\(.)/g, (_, sign: string) => ESCAPED[sign] ?? sign);
};

/** The text of every column of one row, as PostgreSQL writes its value. */
export type CopiedValues = readonly (string | null)[];

/** The rows of a query as texts. For the driver this is six times as fast as its own objects and values. */
export const copiedRows = async (
  reader: Kysely<Schema>,
  query: RawBuilder<unknown>,
): Promise<readonly CopiedValues[]> => {
  let text = '';
  for await (const lines of piecesOf(reader, sql`COPY (${query}) TO STDOUT`)) text += lines;
  const rows = text.split('\n');
  // The last line has a line end too.
  rows.pop();
  return rows.map((row) => row.split('\t').map(valueOf));
};
