import type { Job } from './every.ts';

const LOOK_EVERY_MS = 60_000;

/** Seals each day some minutes after its end, or at the next start. */
export const sealJobs = (seals: { sealDue(): Promise<void> }): readonly Job[] => [
  { name: 'seal what was written', everyMs: LOOK_EVERY_MS, run: () => seals.sealDue() },
];
