import { Worker } from 'node:worker_threads';
import { type AppError, unavailable } from '#core/error.ts';
import type { SQLInputValue } from 'node:sqlite';
import type { SqliteAnswer, SqliteRequest, SqliteWorkerData } from './sqlite-worker.ts';

type Unnumbered<Request> = Request extends unknown ? Omit<Request, 'id'> : never;

interface Waiting {
  readonly resolve: (answer: SqliteAnswer) => void;
  readonly reject: (error: AppError) => void;
}

/** Its garbage is small and short-lived, so a larger young generation would only cost memory. */
const YOUNG_MEGABYTES = 8;

/**
 * A SQLite connection in its own thread (docs/decisions/0003, 0027). Messages run in order. While an owner has
 * exclusive use (a transaction of several messages), all other messages wait.
 */
export class SqliteThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #queue: (() => void)[] = [];
  #lastId = 0;
  #owner: object | undefined;
  #dead: AppError | undefined;

  constructor(data: SqliteWorkerData) {
    this.#worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
      workerData: data,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    this.#worker.on('message', (answer: SqliteAnswer) => this.#settle(answer));
    this.#worker.on('error', (thrown) => this.#die(thrown));
    this.#worker.on('exit', (code) => this.#die(new Error(`the SQLite thread ended with ${code}`)));
  }

  /** Runs one statement. `owner` began the transaction it belongs to, if any. */
  query(sql: string, parameters: readonly unknown[], owner: object): Promise<SqliteAnswer> {
    return this.#send({ sql, parameters: parameters as readonly SQLInputValue[] }, owner);
  }

  /** Runs one ledger batch in its own transaction. */
  async ledger(batch: readonly unknown[]): Promise<readonly unknown[]> {
    return (await this.#send({ ledger: batch }, this)).rows;
  }

  /** Waits for exclusive use of the connection. */
  acquire(owner: object): Promise<void> {
    return new Promise((resolve) => {
      const take = () => {
        this.#owner = owner;
        resolve();
      };
      if (this.#owner === undefined) take();
      else this.#queue.push(take);
    });
  }

  release(): void {
    this.#owner = undefined;
    while (this.#owner === undefined) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      next();
    }
  }

  async close(): Promise<void> {
    this.#dead = unavailable(new Error('closed'));
    await this.#worker.terminate();
  }

  #send(request: Unnumbered<SqliteRequest>, owner: object): Promise<SqliteAnswer> {
    return new Promise((resolve, reject) => {
      const post = () => {
        if (this.#dead !== undefined) return reject(this.#dead);
        const id = ++this.#lastId;
        this.#waiting.set(id, { resolve, reject });
        this.#worker.postMessage({ ...request, id });
      };
      if (this.#owner === undefined || this.#owner === owner) post();
      else this.#queue.push(post);
    });
  }

  #settle(answer: SqliteAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.error === undefined) waiting?.resolve(answer);
    else waiting?.reject(unavailable(new Error(answer.error)));
  }

  #die(cause: unknown): void {
    this.#dead ??= unavailable(cause);
    for (const { reject } of this.#waiting.values()) reject(this.#dead);
    this.#waiting.clear();
    this.release();
  }
}
