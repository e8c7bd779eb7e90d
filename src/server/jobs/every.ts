import type { Log } from '#core/logging.ts';

/** A recurring job. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

/**
 * Runs each job at its interval, never twice at once. A failed run is logged and retried at the next interval.
 * @returns stops all jobs, and resolves when the last run has ended
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
