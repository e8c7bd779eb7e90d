import type { ChatEvent } from './event.ts';

type TextDelta = Extract<ChatEvent, { type: 'text-delta' }>;

/** The first complete stop sequence in a text. */
interface Found {
  readonly at: number;
  readonly stop: string;
}

/**
 * Ends answers at a stop sequence, for upstreams that do not support them: sends the text before it, then a finish
 * event. Holds back only text that may begin a stop sequence, so the result does not depend on the chunks. Thoughts and
 * call arguments are not searched.
 */
export class StopCutter {
  readonly #stops: readonly string[];
  /** Per answer: text that was kept back because it may begin a stop sequence. */
  readonly #held = new Map<number, TextDelta>();
  readonly #cut = new Set<number>();

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '');
  }

  /** True once an answer was cut: the rest of it is not needed. */
  get hasCut(): boolean {
    return this.#cut.size > 0;
  }

  take(event: ChatEvent): readonly ChatEvent[] {
    if (!('choice' in event)) return [event];
    if (this.#cut.has(event.choice)) return [];
    if (event.type === 'text-delta') return this.#read(event);
    // A citation refers to earlier text, so it does not end the text that is kept back.
    if (event.type === 'citation') return [event];
    const held = this.#held.get(event.choice);
    if (held === undefined) return [event];
    this.#held.delete(event.choice);
    return [held, event];
  }

  #read(event: TextDelta): readonly ChatEvent[] {
    const { choice } = event;
    const held = this.#held.get(choice);
    this.#held.delete(choice);
    // A new message or block starts a new text.
    if (held !== undefined && event.begins === true) return [held, ...this.#read(event)];
    const delta = held === undefined ? event : { ...event, ...held, text: held.text + event.text };
    const found = this.#find(delta.text);
    if (found !== undefined) {
      this.#cut.add(choice);
      const finish: ChatEvent = { type: 'finish', choice, reason: 'stop', stopSequence: found.stop };
      return found.at === 0 ? [finish] : [{ ...delta, text: delta.text.slice(0, found.at) }, finish];
    }
    const kept = this.#beginning(delta.text);
    if (kept === 0) return [delta];
    const { begins: _, logprobs: _logprobs, ...later } = delta;
    const at = delta.text.length - kept;
    if (at === 0) {
      this.#held.set(choice, delta);
      return [];
    }
    this.#held.set(choice, { ...later, text: delta.text.slice(at) });
    return [{ ...delta, text: delta.text.slice(0, at) }];
  }

  /** The sequence that is complete first; if several are, the one that begins first. */
  #find(text: string): Found | undefined {
    let first: Found | undefined;
    for (const stop of this.#stops) {
      const at = text.indexOf(stop);
      if (at === -1) continue;
      const [end, firstEnd] = [
        at + stop.length,
        first === undefined ? Infinity : first.at + first.stop.length,
      ];
      if (end < firstEnd || (end === firstEnd && first !== undefined && at < first.at)) first = { at, stop };
    }
    return first;
  }

  /** How many characters at the end of a text may begin a stop sequence. */
  #beginning(text: string): number {
    let most = 0;
    for (const stop of this.#stops) {
      for (let length = Math.min(stop.length - 1, text.length); length > most; length -= 1)
        if (text.endsWith(stop.slice(0, length))) most = length;
    }
    return most;
  }
}
