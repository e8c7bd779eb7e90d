import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { type AppError, unavailable } from '#core/error.ts';
import type { SQLInputValue } from 'node:sqlite';
import type { SqliteAnswer, SqliteRequest, SqliteVisit, SqliteWorkerData } from './sqlite-worker.ts';

type Unnumbered<Request> = Request extends unknown ? Omit<Request, 'id'> : never;

interface Waiting {
  readonly resolve: (answer: SqliteAnswer) => void;
  readonly reject: (error: AppError) => void;
}

/** Its garbage is small and short-lived, so a larger young generation would only cost memory. */
const YOUNG_MEGABYTES = 8;

/** How often a watched thread is checked for answers, and how many checks in a row it may fail. */
const LOOK_EVERY_MS = 10_000;
const MOST_SILENT_LOOKS = 18;

/** Access to a SQLite thread: the thread itself, or the port given to another thread. */
interface Way {
  post(message: SqliteRequest | SqliteVisit, moved: readonly MessagePort[]): void;
  end(): unknown;
}

const start = (data: SqliteWorkerData): Worker =>
  new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
    name: `sqlite, ${data.role}`,
    workerData: data,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });

/**
 * A SQLite connection in its own thread (docs/decisions/0003, 0027). Messages run in order. While an owner has
 * exclusive use (a transaction of several messages), all other messages wait, those of other threads too (0028).
 */
export class SqliteThread {
  readonly #way: Way;
  readonly #waiting = new Map<number, Waiting>();
  readonly #queue: (() => void)[] = [];
  readonly #lost: (cause: unknown) => void;
  #worker: Worker | undefined;
  #lastId = 0;
  #owner: object | undefined;
  #dead: AppError | undefined;
  /** How many answers came. */
  #heard = 0;
  #looking: NodeJS.Timeout | undefined;

  /**
   * Uses a thread with its own connection, which the first message starts, or one that another thread has started.
   * `lost` is called with the reason if a thread that has worked ends by itself.
   */
  constructor(from: SqliteWorkerData | MessagePort, lost: (cause: unknown) => void = () => {}) {
    this.#lost = lost;
    if ('postMessage' in from) {
      this.#way = { post: (message) => from.postMessage(message), end: () => from.close() };
      from.on('message', (answer: SqliteAnswer) => this.#settle(answer));
      from.on('close', () => this.#die(new Error('the SQLite thread has ended')));
      return;
    }
    this.#way = {
      post: (message, moved) => (this.#worker ??= this.#started(from)).postMessage(message, moved),
      end: () => this.#worker?.terminate(),
    };
  }

  /** Gives another thread access through the returned port. Its holds carry this id. */
  async admit(nodeId: number): Promise<MessagePort> {
    const { port1, port2 } = new MessageChannel();
    await this.#post({ enter: port1, nodeId }, [port1]);
    return port2;
  }

  /** Starts the thread if no message has. */
  async begin(): Promise<void> {
    await this.query('SELECT 1', [], this);
  }

  /**
   * Gives up on a thread that has not answered any request for three minutes: callers would wait forever. It counts
   * checks instead of time, because a process that was suspended reads the waiting answers before its next check.
   */
  watch(everyMs = LOOK_EVERY_MS): void {
    let [silent, heard] = [0, this.#heard];
    this.#looking = setInterval(() => {
      silent = this.#waiting.size > 0 && heard === this.#heard ? silent + 1 : 0;
      heard = this.#heard;
      if (silent === MOST_SILENT_LOOKS) this.#die(new Error('the SQLite thread does not answer any more'));
    }, everyMs);
    this.#looking.unref();
  }

  /**
   * Removes a thread that has ended: resolves when all its queries are done and its open transaction is rolled back.
   */
  async dismiss(nodeId: number): Promise<void> {
    await this.#post({ leave: nodeId });
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
    clearInterval(this.#looking);
    this.#dead = unavailable(new Error('closed'));
    await this.#way.end();
  }

  #started(data: SqliteWorkerData): Worker {
    const worker = start(data);
    let hasWorked = false;
    let cause: unknown;
    worker.on('message', (answer: SqliteAnswer) => {
      hasWorked = true;
      this.#settle(answer);
    });
    worker.on('error', (thrown) => (cause = thrown));
    worker.on('exit', (code) => {
      cause ??= new Error(`the SQLite thread ended with ${code}`);
      if (hasWorked) this.#die(cause);
      else this.#startAnew(cause);
    });
    return worker;
  }

  /**
   * A thread that could not open the file, for example for lack of memory, has done nothing, so the next message
   * starts another.
   */
  #startAnew(cause: unknown): void {
    this.#worker = undefined;
    this.#refuse(this.#dead ?? unavailable(cause));
  }

  #send(request: Unnumbered<SqliteRequest>, owner: object): Promise<SqliteAnswer> {
    if (this.#owner === undefined || this.#owner === owner) return this.#post(request);
    return new Promise((resolve, reject) => {
      this.#queue.push(() => void this.#post(request).then(resolve, reject));
    });
  }

  #post(
    request: Unnumbered<SqliteRequest | SqliteVisit>,
    moved: readonly MessagePort[] = [],
  ): Promise<SqliteAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#dead !== undefined) return reject(this.#dead);
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve, reject });
      this.#way.post({ ...request, id }, moved);
    });
  }

  #settle(answer: SqliteAnswer): void {
    this.#heard += 1;
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.error === undefined) waiting?.resolve(answer);
    else waiting?.reject(unavailable(new Error(answer.error)));
  }

  #die(cause: unknown): void {
    if (this.#dead === undefined) {
      this.#dead = unavailable(cause);
      this.#lost(cause);
    }
    this.#refuse(this.#dead);
    this.release();
  }

  #refuse(error: AppError): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
