import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LogExportFilter, LogStore } from '#core/log/log-store.ts';
import { type MakeRowFile, type RowFile, rowFile } from '../http/api/logs/row-files.ts';
import type { DatabaseConfig } from '../store/database/database.ts';

/** What a thread is started with: the database, the filter and what the file shows. */
export interface LogFileAsked {
  readonly database: DatabaseConfig;
  readonly filter: LogExportFilter;
  readonly file: RowFile;
}

/** The answer to each request: the next piece; undefined after the last. */
export type LogFileSaid = Uint8Array | undefined;

/** Shorter files are written in this thread: that takes less time than starting another. */
const LEAST_ROWS = 5000;

/** A thread that writes one file. */
class LogFileThread {
  readonly #worker: Worker;
  readonly #gone = new AbortController();

  constructor(workerData: LogFileAsked) {
    const url = new URL('./log-file-worker.ts', import.meta.url);
    this.#worker = new Worker(url, { name: 'log file', workerData, execArgv: [] });
    this.#worker.unref();
    this.#worker.on('error', (thrown) => this.#gone.abort(thrown));
    this.#worker.on('exit', (code) =>
      this.#gone.abort(new Error(`the thread of a file ended with ${String(code)}`)),
    );
  }

  async next(): Promise<LogFileSaid> {
    const answer = once(this.#worker, 'message', { signal: this.#gone.signal });
    this.#worker.postMessage('next');
    const [said] = (await answer) as [LogFileSaid];
    return said;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/**
 * Files of log rows. A long file is read and written in its own thread with its own connection; the thread that serves
 * calls only forwards the bytes.
 */
export const createLogFiles =
  (database: DatabaseConfig, logs: Pick<LogStore, 'export'>, leastRows = LEAST_ROWS): MakeRowFile =>
  async (filter, file) => {
    const found = await logs.export(filter);
    const small = rowFile(found, file, 'here');
    if (found.total < leastRows) return small;
    return {
      ...small,
      async *pieces() {
        const thread = new LogFileThread({ database, filter, file });
        try {
          for (let bytes = await thread.next(); bytes !== undefined; bytes = await thread.next()) yield bytes;
        } finally {
          await thread.end();
        }
      },
    };
  };
