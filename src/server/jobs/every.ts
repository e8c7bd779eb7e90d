import type { Log } from '#core/logging.ts';

/** Something that is done again and again. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

/**
 * Runs each job at its pace, never twice at once. One that fails is reported and tried again at its next time.
 * @returns ends them all, and resolves when the last run is over
 */
export const runEvery = (jobs: readonly Job[], log: Log): (() => Promise<void>) => {
  const running = new Map<Job, Promise<void>>();
  const once = async (job: Job): Promise<void> => {
    try {
      await job.run();
    } catch (error) {
      log.error('a job failed', { job: job.name, error });
    } finally {
      running.delete(job);
    }
  };
  const timers = jobs.map((job) =>
    setInterval(() => {
      if (!running.has(job)) running.set(job, once(job));
    }, job.everyMs).unref(),
  );
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running.values());
  };
};
