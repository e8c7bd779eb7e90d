import type { FinishReason } from '#core/chat/event.ts';

/**
 * The finish reason that survives this format: an answer with calls ends with `tool-calls`, and an `other` end without
 * text becomes `stop`.
 */
export const geminiEnd = (reason: FinishReason, hasCalls: boolean, hasWords: boolean): FinishReason => {
  if (hasCalls && (reason === 'stop' || reason === 'other')) return 'tool-calls';
  return reason === 'other' && !hasWords ? 'stop' : reason;
};
