import type { ChatEvent } from './event.ts';
import type { ChatRequest } from './request.ts';
import { freeId } from './unique-calls.ts';

/**
 * Lets through only the calls that the caller must run. A free-text call of a tool the caller does not have was already
 * run by the upstream (xAI's searches); callers of other formats would try to run it themselves. Each call of an answer gets
 * an id of its own: programs keep their results by it.
 */
export class CallersCalls {
  readonly #names: ReadonlySet<string>;
  readonly #ofUpstream = new Set<string>();
  /** Answers that call one of the caller's tools. */
  readonly #calling = new Set<number>();
  /** The ids of the calls of each answer. */
  readonly #ids = new Map<number, Set<string>>();

  constructor(asked: Pick<ChatRequest, 'tools'> | undefined) {
    this.#names = new Set(asked?.tools?.map(({ name }) => name));
  }

  /** The event for the caller, or undefined if the caller must not see it. */
  take(event: ChatEvent): ChatEvent | undefined {
    switch (event.type) {
      case 'tool-call-start': {
        const isOwn = event.isFreeText !== true || this.#names.has(event.name);
        if (isOwn) this.#calling.add(event.choice);
        else this.#ofUpstream.add(`${event.choice} ${event.index}`);
        return isOwn ? this.#withOwnId(event) : undefined;
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

  #withOwnId(event: Extract<ChatEvent, { type: 'tool-call-start' }>): ChatEvent {
    const ids = this.#ids.get(event.choice) ?? new Set();
    const id = freeId(event.id, ids);
    this.#ids.set(event.choice, ids.add(id));
    return id === event.id ? event : { ...event, id };
  }
}
