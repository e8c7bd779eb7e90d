import { DatabaseSync } from 'node:sqlite';
import { AppError } from '#core/error.ts';
import { closeDatabaseFile } from '../private-files.ts';

/** How long to wait for a killed server's process to end. */
const TIMEOUT_MS = 2000;

/**
 * Takes the lock that a server holds while it uses a SQLite file: an operating system lock on a separate file, which ends
 * with the process, even if that is killed. Throws `unavailable` if another process has it.
 * @returns releases it
 */
export const lockForServer = (file: string): (() => void) => {
  closeDatabaseFile(`${file}.lock`);
  const lock = new DatabaseSync(`${file}.lock`, { timeout: TIMEOUT_MS });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new AppError(
      'unavailable',
      `another server uses ${file}: stop it first, or let several nodes share PostgreSQL`,
      { cause },
    );
  }
  return () => lock.close();
};
