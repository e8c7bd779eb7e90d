import type { FinishReason } from '#core/chat/event.ts';

/** Calls are there to be answered; and an end without a word of an answer without one is a failure. */
export const geminiEnd = (reason: FinishReason, hasCalls: boolean, hasWords: boolean): FinishReason => {
  if (hasCalls && (reason === 'stop' || reason === 'other')) return 'tool-calls';
  return reason === 'other' && !hasWords ? 'stop' : reason;
};
