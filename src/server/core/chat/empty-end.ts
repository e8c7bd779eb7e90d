import { AppError } from '../error.ts';
import type { ChatEvent } from './event.ts';

const SAID: ReadonlySet<ChatEvent['type']> = new Set<ChatEvent['type']>([
  'text-delta',
  'refusal-delta',
  'tool-call-start',
  'audio-delta',
  'image',
]);

/**
 * An end for which other formats have no word, of an answer without one (a turn that was paused or cancelled before a
 * word was said), becomes an error: as an empty answer that ended well, clients would take it for all there is.
 */
export class EmptyEnd {
  #hasSpoken = false;

  take(event: ChatEvent): ChatEvent {
    if (this.#hasSpoken) return event;
    this.#hasSpoken = SAID.has(event.type);
    if (event.type !== 'finish' || (event.reason !== 'other' && event.reason !== 'pause')) return event;
    const message = `the model ended its turn without an answer (${event.reason})`;
    return {
      type: 'error',
      error: new AppError('upstream_failed', message, {
        reason: 'malformed_answer',
        upstream: { status: 0, type: event.reason, message },
      }),
    };
  }
}
