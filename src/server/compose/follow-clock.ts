import type { Log } from '#core/logging.ts';
import type { SharedClock } from '#core/time/shared-clock.ts';
import type { Job } from '../jobs/every.ts';
import type { Database } from '../store/database/database.ts';
import { readDatabaseClock } from '../store/database/database-clock.ts';

const LOOK_EVERY_MS = 60_000;

/** Synchronises a clock with the database's: now, every minute, and when this machine's is set. Returns the job for that. */
export const followClock = async (database: Database, clock: SharedClock, log: Log): Promise<Job> => {
  let saidAheadMs = 0;
  const look = async (): Promise<void> => {
    const reading = await readDatabaseClock(database, () => clock.monotonic());
    const aheadMs = reading === undefined ? 0 : clock.follow(reading);
    if ((aheadMs === 0) !== (saidAheadMs === 0))
      log.warn(
        aheadMs === 0
          ? 'the clock of this machine agrees with that of the database again'
          : 'the clock of this machine differs from that of the database, which counts',
        { aheadMs },
      );
    saidAheadMs = aheadMs;
  };
  // A database that cannot be asked is asked again by the job.
  clock.onStep(() => void look().catch(() => {}));
  await look();
  return { name: 'look at the clock of the database', everyMs: LOOK_EVERY_MS, run: look };
};
