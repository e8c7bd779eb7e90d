import type { ChatEvent } from '#core/chat/event.ts';

type Start = Extract<ChatEvent, { type: 'tool-call-start' }>;

/** Finds the end of one call's JSON arguments, reading each chunk once. */
class ArgumentsEnd {
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  isComplete = false;

  feed(text: string): void {
    for (const mark of text) {
      if (this.isComplete) return;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#inText && mark === '\\') this.#isEscaped = true;
      else if (mark === '"') this.#inText = !this.#inText;
      else if (!this.#inText) this.#nest(mark);
    }
  }

  #nest(mark: string): void {
    if (mark === '{' || mark === '[') this.#depth += 1;
    else if (mark === '}' || mark === ']') {
      this.#depth -= 1;
      this.isComplete = this.#depth <= 0;
    }
  }
}

/**
 * Serializes parallel calls. Some upstreams interleave their arguments, but this format's blocks come one by one: a
 * call waits until the one before it is complete, or the answer ends.
 */
export class OneCallAtATime {
  #current: { readonly index: number; readonly end: ArgumentsEnd } | undefined;
  /** Waiting calls, in the order they began. */
  readonly #waiting = new Map<number, { readonly start: Start; argumentsText: string }>();

  /** The events that can be written now. */
  take(event: ChatEvent): ChatEvent[] {
    switch (event.type) {
      case 'tool-call-start':
        if (this.#current !== undefined && !this.#current.end.isComplete) {
          this.#waiting.set(event.index, { start: event, argumentsText: '' });
          return [];
        }
        this.#current = { index: event.index, end: new ArgumentsEnd() };
        return [event];
      case 'tool-call-delta': {
        const held = this.#waiting.get(event.index);
        if (held !== undefined) {
          held.argumentsText += event.argumentsText;
          return [];
        }
        if (event.index !== this.#current?.index) return [event];
        this.#current.end.feed(event.argumentsText);
        return [event, ...this.#release()];
      }
      case 'finish':
        return [...this.rest(), event];
      default:
        return [event];
    }
  }

  /** The calls still waiting at the end. */
  rest(): ChatEvent[] {
    const events = [...this.#waiting.values()].flatMap(eventsOf);
    this.#waiting.clear();
    this.#current = undefined;
    return events;
  }

  #release(): ChatEvent[] {
    const events: ChatEvent[] = [];
    for (const [index, held] of this.#waiting) {
      if (this.#current?.end.isComplete === false) break;
      this.#waiting.delete(index);
      this.#current = { index, end: new ArgumentsEnd() };
      this.#current.end.feed(held.argumentsText);
      events.push(...eventsOf(held));
    }
    return events;
  }
}

const eventsOf = ({ start, argumentsText }: { start: Start; argumentsText: string }): ChatEvent[] => [
  start,
  ...(argumentsText === ''
    ? []
    : [
        {
          type: 'tool-call-delta' as const,
          choice: start.choice,
          index: start.index,
          argumentsText,
        },
      ]),
];
