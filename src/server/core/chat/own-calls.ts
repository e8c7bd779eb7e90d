import type { ChatEvent } from './event.ts';
import type { ChatRequest } from './request.ts';

/**
 * Calls that are the caller's to answer. One of a tool that takes text, which the caller does not have, is the upstream's
 * own: it has run it (xAI's searches), and callers of other formats would wait for themselves to do so.
 */
export class CallersCalls {
  readonly #names: ReadonlySet<string>;
  readonly #ofUpstream = new Set<string>();
  /** Answers that call something of the caller's. */
  readonly #calling = new Set<number>();

  constructor(asked: Pick<ChatRequest, 'tools'> | undefined) {
    this.#names = new Set(asked?.tools?.map(({ name }) => name));
  }

  /** The event as it is for the caller; undefined for what is not. */
  take(event: ChatEvent): ChatEvent | undefined {
    switch (event.type) {
      case 'tool-call-start': {
        const isOwn = event.isFreeText !== true || this.#names.has(event.name);
        if (isOwn) this.#calling.add(event.choice);
        else this.#ofUpstream.add(`${event.choice} ${event.index}`);
        return isOwn ? event : undefined;
      }
      case 'tool-call-delta':
        return this.#ofUpstream.has(`${event.choice} ${event.index}`) ? undefined : event;
      case 'finish': {
        const isOver = event.reason === 'tool-calls' && !this.#calling.has(event.choice);
        return isOver && this.#ofUpstream.size > 0 ? { ...event, reason: 'stop' } : event;
      }
      default:
        return event;
    }
  }
}
