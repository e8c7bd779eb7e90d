import type { Job } from './every.ts';

const LOOK_EVERY_MS = 1000;

interface PriceJobDeps {
  readonly prices: { publishDue(): Promise<void> };
  readonly pricesDue: () => Promise<void>;
}

/** Lets prices that are due take effect, also while nobody calls: scheduled changes, and those of the bundled list. */
export const priceJobs = ({ prices, pricesDue }: PriceJobDeps): readonly Job[] => [
  { name: 'publish prices that are due', everyMs: LOOK_EVERY_MS, run: () => prices.publishDue() },
  { name: 'take up prices that are due', everyMs: LOOK_EVERY_MS, run: pricesDue },
];
