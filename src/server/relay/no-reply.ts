import type { Reply } from './ports.ts';

/** Of a call that is paid for by itself while its answer reaches the caller by another way. */
export const noReply: Reply = {
  start: () => undefined,
  started: true,
  write: () => true,
  drained: () => Promise.resolve(),
  end: () => undefined,
  cut: () => undefined,
  gone: false,
  onGone: undefined,
};
