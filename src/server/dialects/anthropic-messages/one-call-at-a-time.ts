import type { ChatEvent } from '#core/chat/event.ts';

type Start = Extract<ChatEvent, { type: 'tool-call-start' }>;

/** Tells where the JSON of one call's arguments is complete, reading every piece once. */
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
 * Puts calls one behind the other. Some upstreams say the arguments of parallel calls by turns; where an answer is a row
 * of blocks, a call waits until the one before it is complete, or until the answer ends.
 */
export class OneCallAtATime {
  #current: { readonly index: number; readonly end: ArgumentsEnd } | undefined;
  /** Calls that wait, in the order in which they began. */
  readonly #waiting = new Map<number, { readonly start: Start; argumentsText: string }>();

  /** What can be said now. */
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

  /** The calls that still wait when nothing more comes. */
  rest(): ChatEvent[] {
    const events = [...this.#waiting.values()].flatMap(said);
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
      events.push(...said(held));
    }
    return events;
  }
}

const said = ({ start, argumentsText }: { start: Start; argumentsText: string }): ChatEvent[] => [
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
