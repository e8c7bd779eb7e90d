import type { Job } from './every.ts';

const ASK_EVERY_MS = 1000;

/** Polls upstreams for the responses they make in the background. */
export const backgroundJobs = (background: { run(): Promise<void> }): readonly Job[] => [
  { name: 'ask about background responses', everyMs: ASK_EVERY_MS, run: () => background.run() },
];
