import type { Clock } from '#core/clock.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { LogClearingStore } from '#core/log/log-clearing-store.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Log } from '#core/logging.ts';
import type { Marks } from '#core/seal/seal-store.ts';
import type { User } from '#core/user/user.ts';
import { logAction } from '../log-action.ts';
import { refuse } from '../refuse.ts';

/** Rows per transaction: few, because calls that settle must wait for it. */
const AT_ONCE = 500;
/** The answer waits this long; after that the work continues in the background. */
const ANSWER_AFTER_MS = 5000;

export interface LogClearingDeps {
  readonly logClearing: LogClearingStore;
  readonly logs: Pick<LogStore, 'append'>;
  /** Rows are sealed before they are deleted, so that their sums stay proven. */
  readonly sealNow: () => Promise<Pick<Marks, 'callId'>>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The progress of the current or last clearing. */
export interface ClearingProgress {
  readonly isRunning: boolean;
  readonly deleted: number;
  readonly total: number;
}

export type LogClearing = ReturnType<typeof createLogClearing>;

/** Deletes old logs in the background, one clearing at a time. */
export const createLogClearing = ({ logClearing, logs, sealNow, clock, log }: LogClearingDeps) => {
  let progress: ClearingProgress = { isRunning: false, deleted: 0, total: 0 };

  const work = async (editor: User, beforeMs: number): Promise<void> => {
    try {
      const { callId } = await sealNow();
      for (;;) {
        const deleted = await logClearing.deleteSome({ beforeMs, upToId: callId }, AT_ONCE);
        progress = { ...progress, deleted: progress.deleted + deleted };
        if (deleted < AT_ONCE) break;
      }
      const told = { count: progress.deleted, time: new Date(beforeMs).toISOString() };
      await logAction({ logs, clock }, editor, storedPhrase('log_cleared', told));
    } catch (error) {
      log.error('clearing logs stopped', { error, ...progress });
    } finally {
      progress = { ...progress, isRunning: false };
    }
  };

  return {
    progress: (): ClearingProgress => progress,

    /**
     * Deletes every row older than `beforeMs` that exists now; calls still running write theirs later.
     * @returns how many there are; a large clearing continues after the answer
     */
    async clear(editor: User, beforeMs: number): Promise<number> {
      if (progress.isRunning) throw refuse('log_clear_running');
      progress = { isRunning: true, deleted: 0, total: 0 };
      const total = await logClearing.countBefore(beforeMs).catch((error: unknown) => {
        progress = { ...progress, isRunning: false };
        throw error;
      });
      progress = { ...progress, total };
      await Promise.race([
        work(editor, beforeMs),
        new Promise((resolve) => setTimeout(resolve, ANSWER_AFTER_MS).unref()),
      ]);
      return total;
    },
  };
};
