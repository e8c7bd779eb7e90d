import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Connection, PoolClient, Submittable } from 'pg';
import type { Schema } from '../schema.ts';

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

/**
 * Streams the rows of a query as PostgreSQL writes them, without creating objects or values: pieces of complete lines,
 * `separator` between columns, nothing for null. `query` must have no parameters, because COPY accepts none.
 */
export async function* copiedLines(
  moment: Kysely<Schema>,
  query: RawBuilder<unknown>,
  separator: string,
): AsyncGenerator<string> {
  // PostgreSQL quotes a value that contains the separator, the quote sign or a line end; none of our rows does.
  const statement = sql<CopiedLines>`COPY (${query}) TO STDOUT
    (FORMAT csv, DELIMITER ${sql.lit(separator)}, QUOTE ${sql.lit('\u0001')})`.compile(moment);
  for await (const { rows } of moment.getExecutor().stream(statement, 1))
    for (const { lines } of rows) yield lines;
}
