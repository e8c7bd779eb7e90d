import type { LogExportFilter, LogStore } from '#core/log/log-store.ts';
import { type MakeRowFile, type RowFile, rowFile } from '../http/api/logs/row-files.ts';
import type { DatabaseConfig } from '../store/database/database.ts';
import { AskedThread } from './asked-thread.ts';

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
const writingThread = (workerData: LogFileAsked) =>
  new AskedThread<'next', LogFileSaid>(new URL('./log-file-worker.ts', import.meta.url), {
    name: 'log file',
    workerData,
  });

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
        const thread = writingThread({ database, filter, file });
        const next = () => thread.ask<LogFileSaid>('next');
        try {
          for (let bytes = await next(); bytes !== undefined; bytes = await next()) yield bytes;
        } finally {
          await thread.end();
        }
      },
    };
  };
