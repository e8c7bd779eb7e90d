import type { Job } from './every.ts';

const LOOK_EVERY_MS = 1000;

/** Publishes changes of prices when their time has come. */
export const priceJobs = (prices: { publishDue(): Promise<void> }): readonly Job[] => [
  { name: 'publish prices that are due', everyMs: LOOK_EVERY_MS, run: () => prices.publishDue() },
];
