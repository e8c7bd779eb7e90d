import { stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';

/** Limits of the write-ahead log, in frames of a 4 KB page and a header. */
export interface WalLimits {
  /** When this many frames are not yet in the database, they are copied there. */
  readonly copyFrames: number;
  /** From this many frames in all, the log is restarted. Writers wait for that once. */
  readonly restartFrames: number;
}

/** 16 MB are worth a copy. Readers, and recovery after a crash, still handle 160 MB quickly. */
export const walLimits: WalLimits = { copyFrames: 4000, restartFrames: 40_000 };

/** The writer's own checkpoints, for when these copies have failed for long. */
export const LAST_RESORT_FRAMES = 100_000;

const COPIES_AT_ONCE = 3;

interface WalState {
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Checkpoints the write-ahead log on a separate connection, so that no commit waits for the disk to copy it
 * (sqlite.org/wal.html, checkpointing). Copies several times in a row: after one that leaves nothing uncopied, the writer
 * restarts the log by itself.
 * @returns one round, to be called a few times a second
 */
export const walCheckpoints = (database: DatabaseSync, limits: WalLimits): (() => void) => {
  const run = (mode: 'NOOP' | 'PASSIVE' | 'RESTART'): WalState => {
    const row = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
    return { log: Number(row?.['log']), checkpointed: Number(row?.['checkpointed']) };
  };
  return () => {
    let { log, checkpointed } = run('NOOP');
    if (log - checkpointed < limits.copyFrames) return;
    for (let copy = 0; copy < COPIES_AT_ONCE && checkpointed < log; copy++)
      ({ log, checkpointed } = run('PASSIVE'));
    if (log >= limits.restartFrames) run('RESTART');
  };
};

/** The size in bytes from which the log is worth a copy. */
const LONG_LOG_BYTES = 16 * 1024 * 1024;
const LOOK_EVERY_MS = 1000;

/**
 * Calls `copy` once the write-ahead log of `file` is worth a copy: until then an idle server does without the thread that
 * copies it.
 * @returns ends the wait
 */
export const onceLogIsLong = (file: string, copy: () => void): (() => void) => {
  const timer = setInterval(() => {
    stat(`${file}-wal`).then(
      ({ size }) => {
        if (size < LONG_LOG_BYTES) return;
        clearInterval(timer);
        copy();
      },
      // The next check tries again.
      () => {},
    );
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
};
