import type { Job } from './every.ts';

const LOOK_EVERY_MS = 1000;

/** Publishes scheduled price changes that are due. */
export const priceJobs = (prices: { publishDue(): Promise<void> }): readonly Job[] => [
  { name: 'publish prices that are due', everyMs: LOOK_EVERY_MS, run: () => prices.publishDue() },
];
