import type { Routing } from '#core/channel/routing.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';

/** The longest that a call waits for prices that are due; after that, the previous ones apply a while longer. */
const MOST_WAIT_MS = 5000;
const AGAIN_AFTER_MS = 1000;

interface DuePrices {
  readonly routing: () => Routing;
  /** Publishes what is due and loads the current prices. */
  readonly takeUp: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Resolves when the prices that are due by now are in the routing: the first call at a scheduled time has them
 * published, and other calls meanwhile wait for the same. A call does not wait while the database is unavailable.
 */
export const createDueWait = ({ routing, takeUp, clock, log }: DuePrices): (() => Promise<void>) => {
  let running: Promise<void> | undefined;
  let notBeforeMs = 0;
  const isDue = (): boolean => (routing().pricesUntilMs ?? Infinity) <= clock.now();
  const run = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, MOST_WAIT_MS)));
    try {
      await Promise.race([takeUp(), tooLong]);
    } catch (error) {
      log.error('prices that are due could not be loaded', { error });
    } finally {
      clearTimeout(timer);
      running = undefined;
      if (isDue()) notBeforeMs = clock.monotonic() + AGAIN_AFTER_MS;
    }
  };
  return async () => {
    if (!isDue() || clock.monotonic() < notBeforeMs) return;
    await (running ??= run());
  };
};
