import type { Job } from './every.ts';

const BACKGROUND_EVERY_MS = 1000;
const PRICES_EVERY_MS = 1000;
const TASKS_EVERY_MS = 15_000;
const SEALS_EVERY_MS = 60_000;

interface PollingDeps {
  readonly background: { run(): Promise<void> };
  readonly taskPoller: { run(): Promise<void> };
  readonly prices: { publishDue(): Promise<void> };
  readonly pricesDue: () => Promise<void>;
  readonly seals: { sealDue(): Promise<void> };
}

/** What is looked at often because it changes at any time: work at upstreams, prices and seals that become due. */
export const pollingJobs = ({
  background,
  taskPoller,
  prices,
  pricesDue,
  seals,
}: PollingDeps): readonly Job[] => [
  { name: 'ask about background responses', everyMs: BACKGROUND_EVERY_MS, run: () => background.run() },
  { name: 'ask about tasks', everyMs: TASKS_EVERY_MS, run: () => taskPoller.run() },
  // Prices take effect even while nobody calls: scheduled changes, and those of the bundled list.
  { name: 'publish prices that are due', everyMs: PRICES_EVERY_MS, run: () => prices.publishDue() },
  { name: 'take up prices that are due', everyMs: PRICES_EVERY_MS, run: pricesDue },
  // Each day is sealed some minutes after its end, or at the next start.
  { name: 'seal what was written', everyMs: SEALS_EVERY_MS, run: () => seals.sealDue() },
];
