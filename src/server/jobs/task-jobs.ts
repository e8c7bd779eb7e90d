import type { Job } from './every.ts';

const ASK_EVERY_MS = 15_000;

/** Polls upstreams for the state of drawings and music. */
export const taskJobs = (poller: { run(): Promise<void> }): readonly Job[] => [
  { name: 'ask about tasks', everyMs: ASK_EVERY_MS, run: () => poller.run() },
];
