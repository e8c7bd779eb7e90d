import type { DatabaseSync } from 'node:sqlite';

/** How long the write-ahead log gets, in its frames of one page of 4 KB and a head. */
export interface WalLimits {
  /** As many that are only in the log are copied into the database. */
  readonly copyFrames: number;
  /** With as many in all the log begins anew, also while there are writers: they wait for that once. */
  readonly restartFrames: number;
}

/** 16 MB are worth a copy; 160 MB are found quickly enough by readers and after a crash. */
export const walLimits: WalLimits = { copyFrames: 4000, restartFrames: 40_000 };

/** The writer copies by itself only when nobody else has for long. */
export const LAST_RESORT_FRAMES = 100_000;

const COPIES_AT_ONCE = 3;

interface WalState {
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Copies what the writer has appended to the write-ahead log into the database, on a connection of its own, so that no
 * commit waits until a disk has written it all down (sqlite.org/wal.html, checkpointing). Several copies in a row: one
 * that leaves nothing behind lets the writer begin the log anew by itself.
 * @returns looks after it once; to be called a few times a second
 */
export const walCheckpoints = (database: DatabaseSync, limits: WalLimits): (() => void) => {
  const run = (mode: 'NOOP' | 'PASSIVE' | 'RESTART'): WalState =>
    database.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as unknown as WalState;
  return () => {
    let { log, checkpointed } = run('NOOP');
    if (log - checkpointed < limits.copyFrames) return;
    for (let copy = 0; copy < COPIES_AT_ONCE && checkpointed < log; copy++)
      ({ log, checkpointed } = run('PASSIVE'));
    if (log >= limits.restartFrames) run('RESTART');
  };
};
