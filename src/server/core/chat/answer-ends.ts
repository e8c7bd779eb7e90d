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
 * How answers end, for callers of other formats. An end for which those have no word, of an answer without one (a turn
 * that was paused or cancelled before a word was said), becomes an error: as an empty answer that ended well, clients
 * would take it for all there is. An answer that came whole, but without the word for its end, gets one: clients wait for it.
 */
export class AnswerEnds {
  #hasSpoken = false;
  /** How each answer stands, by its number. */
  readonly #answers = new Map<number, 'speaks' | 'calls' | 'over'>();

  take(event: ChatEvent): ChatEvent {
    this.#note(event);
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

  /** The ends that were not told, once the reply is over. */
  missing(): ChatEvent[] {
    return [...this.#answers].flatMap(([choice, state]): ChatEvent[] =>
      state === 'over' ? [] : [{ type: 'finish', choice, reason: state === 'calls' ? 'tool-calls' : 'stop' }],
    );
  }

  #note(event: ChatEvent): void {
    if (event.type === 'finish') this.#answers.set(event.choice, 'over');
    else if (event.type === 'tool-call-start') this.#answers.set(event.choice, 'calls');
    else if ('choice' in event && !this.#answers.has(event.choice)) this.#answers.set(event.choice, 'speaks');
  }
}
