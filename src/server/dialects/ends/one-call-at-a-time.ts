import type { ChatEvent } from '#core/chat/event.ts';

type Start = Extract<ChatEvent, { type: 'tool-call-start' }>;

/** Finds the end of one call's JSON arguments, reading each chunk once. Text that begins no object is over at once. */
export class ArgumentsEnd {
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  isComplete = false;

  feed(text: string): void {
    for (const mark of text) {
      if (this.isComplete) return;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#inText && mark === '\\') this.#isEscaped = true;
      else if (mark === '"' && this.#depth > 0) this.#inText = !this.#inText;
      else if (!this.#inText) this.#nest(mark);
    }
  }

  #nest(mark: string): void {
    if (mark === '{' || mark === '[') this.#depth += 1;
    else if (mark === '}' || mark === ']') this.#depth -= 1;
    this.isComplete = this.#depth <= 0 && mark.trim() !== '';
  }
}

/** An event that waits, or a call with all of its arguments so far. */
type Waiting = { readonly event: ChatEvent } | { readonly start: Start; argumentsText: string };

/** These have no place among the blocks of an answer. */
const OUTSIDE: ReadonlySet<ChatEvent['type']> = new Set<ChatEvent['type']>(['start', 'usage']);

/**
 * Serializes an answer for formats whose blocks come one by one. Some upstreams interleave the arguments of calls with each
 * other, or with words: what begins during a call waits until the call is complete, or the answer ends.
 */
export class OneCallAtATime {
  #current: { readonly index: number; readonly end: ArgumentsEnd } | undefined;
  /** In the order they came. */
  #waiting: Waiting[] = [];

  /** The events that can be written now. */
  take(event: ChatEvent): ChatEvent[] {
    if (event.type === 'finish' || event.type === 'error') return [...this.rest(), event];
    if (event.type === 'tool-call-delta') return this.#takeArguments(event);
    const isFree = this.#waiting.length === 0 && this.#current?.end.isComplete !== false;
    if (isFree || OUTSIDE.has(event.type)) {
      if (event.type === 'tool-call-start') this.#current = { index: event.index, end: new ArgumentsEnd() };
      return [event];
    }
    this.#waiting.push(event.type === 'tool-call-start' ? { start: event, argumentsText: '' } : { event });
    return [];
  }

  /** What is still waiting at the end. */
  rest(): ChatEvent[] {
    const events = this.#waiting.flatMap(eventsOf);
    this.#waiting = [];
    this.#current = undefined;
    return events;
  }

  #takeArguments(event: Extract<ChatEvent, { type: 'tool-call-delta' }>): ChatEvent[] {
    const held = this.#waiting.find((one) => 'start' in one && one.start.index === event.index);
    if (held !== undefined && 'start' in held) {
      held.argumentsText += event.argumentsText;
      return [];
    }
    if (event.index !== this.#current?.index) return [event];
    this.#current.end.feed(event.argumentsText);
    return [event, ...this.#release()];
  }

  #release(): ChatEvent[] {
    let count = 0;
    for (; count < this.#waiting.length && this.#current?.end.isComplete !== false; count += 1) {
      const next = this.#waiting[count];
      if (next === undefined || !('start' in next)) continue;
      this.#current = { index: next.start.index, end: new ArgumentsEnd() };
      this.#current.end.feed(next.argumentsText);
    }
    return this.#waiting.splice(0, count).flatMap(eventsOf);
  }
}

const eventsOf = (waiting: Waiting): ChatEvent[] => {
  if ('event' in waiting) return [waiting.event];
  const { start, argumentsText } = waiting;
  const { choice, index } = start;
  return argumentsText === '' ? [start] : [start, { type: 'tool-call-delta', choice, index, argumentsText }];
};
