import type { ChatEvent } from './event.ts';

type TextDelta = Extract<ChatEvent, { type: 'text-delta' }>;

/** Where in a text the first of the stop sequences is complete. */
interface Found {
  readonly at: number;
  readonly stop: string;
}

/**
 * Ends answers where a stop sequence stands in their text, for upstreams that know no such thing: what was said before it
 * is told, then that it stopped there. Held back is only what may be the beginning of one, so that it does not matter how
 * the text comes in pieces. Thoughts and the arguments of calls are no text.
 */
export class StopCutter {
  readonly #stops: readonly string[];
  /** Per answer: the text that may be the beginning of a stop sequence. */
  readonly #held = new Map<number, TextDelta>();
  readonly #cut = new Set<number>();

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '');
  }

  /** An answer was cut: nothing more of it is wanted. */
  get hasCut(): boolean {
    return this.#cut.size > 0;
  }

  take(event: ChatEvent): readonly ChatEvent[] {
    if (!('choice' in event)) return [event];
    if (this.#cut.has(event.choice)) return [];
    if (event.type === 'text-delta') return this.#read(event);
    // A citation is of words before it, and no end of a text.
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
    // A statement of its own is another text.
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

  /** The one that is complete first; of those that are complete at once the one that began first. */
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

  /** How many characters at the end of a text may be the beginning of a stop sequence. */
  #beginning(text: string): number {
    let most = 0;
    for (const stop of this.#stops) {
      for (let length = Math.min(stop.length - 1, text.length); length > most; length -= 1)
        if (text.endsWith(stop.slice(0, length))) most = length;
    }
    return most;
  }
}
