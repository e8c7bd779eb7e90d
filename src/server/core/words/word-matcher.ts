/** Finds which of many words a text has; upper and lower case are the same. */
export interface WordMatcher {
  readonly wordCount: number;
  /** The first word found, as it was listed; undefined where there is none. */
  find(text: string): string | undefined;
  /** The same for a text that comes in pieces: a word may be cut between two of them. */
  follow(): (piece: string) => string | undefined;
}

const ROOT = 0;
const NONE = -1;

/** State, character and target of a transition stand beside each other: one look at memory tells all three. */
const WIDTH = 3;

/** Transitions of an automaton: from the root by a table of every character, deeper by hashing. */
class Transitions {
  readonly #fromRoot = new Int32Array(0x1_0000);
  readonly #mask: number;
  readonly #slots: Int32Array;

  constructor(maxStates: number) {
    let size = 16;
    while (size < maxStates * 2) size *= 2;
    this.#mask = size - 1;
    this.#slots = new Int32Array(size * WIDTH).fill(NONE);
  }

  /** Where a character leads; `NONE` where nowhere. From the root it always leads somewhere. */
  get(state: number, character: number): number {
    if (state === ROOT) return this.#fromRoot[character] ?? ROOT;
    return this.#slots[this.#slot(state, character) + 2] ?? NONE;
  }

  set(state: number, character: number, target: number): void {
    if (state === ROOT) {
      this.#fromRoot[character] = target;
      return;
    }
    const at = this.#slot(state, character);
    this.#slots[at] = state;
    this.#slots[at + 1] = character;
    this.#slots[at + 2] = target;
  }

  /** Where this transition is, or the empty place where it would be. */
  #slot(state: number, character: number): number {
    const slots = this.#slots;
    let at = (Math.imul(state, 0x9e37_79b1) ^ Math.imul(character, 0x85eb_ca6b)) >>> 7;
    for (;;) {
      const slot = (at & this.#mask) * WIDTH;
      const known = slots[slot];
      if (known === NONE || (known === state && slots[slot + 1] === character)) return slot;
      at += 1;
    }
  }
}

interface Automaton {
  readonly next: Transitions;
  /** Where to go on when a character leads nowhere: the longest end of what was read that is also a beginning. */
  readonly back: Int32Array;
  /** The word that ends at a state, or at one it goes back to; `NONE` for none. */
  readonly word: Int32Array;
}

const build = (words: readonly string[]): Automaton => {
  const maxStates = 1 + words.reduce((sum, word) => sum + word.length, 0);
  const next = new Transitions(maxStates);
  const word = new Int32Array(maxStates).fill(NONE);
  const children: number[][] = [[]];
  const characters: number[] = [0];
  words.forEach((text, number) => {
    let state = ROOT;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      const known = next.get(state, character);
      if (known > ROOT) state = known;
      else {
        const made = characters.push(character) - 1;
        children.push([]);
        children[state]?.push(made);
        next.set(state, character, made);
        state = made;
      }
    }
    if (word[state] === NONE) word[state] = number;
  });
  return { next, back: linkBack(next, children, characters, word), word };
};

/** Breadth first, so that what a state goes back to is known before it. */
const linkBack = (
  next: Transitions,
  children: readonly (readonly number[])[],
  characters: readonly number[],
  word: Int32Array,
): Int32Array => {
  const back = new Int32Array(characters.length);
  const queue = [...(children[ROOT] ?? [])];
  for (const state of queue) {
    for (const child of children[state] ?? []) {
      const character = characters[child] ?? 0;
      let from = back[state] ?? ROOT;
      while (from !== ROOT && next.get(from, character) === NONE) from = back[from] ?? ROOT;
      const target = next.get(from, character);
      back[child] = target;
      if (word[child] === NONE) word[child] = word[target] ?? NONE;
      queue.push(child);
    }
  }
  return back;
};

/**
 * A matcher of one word a line (Aho and Corasick, 1975): its time does not depend on how many words there are. Blank
 * lines and spaces around words do not count.
 */
export const createWordMatcher = (lines: string): WordMatcher => {
  const listed = [...new Set(lines.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
  const { next, back, word } = build(listed.map((line) => line.toLowerCase()));
  const follow = () => {
    let state = ROOT;
    return (piece: string): string | undefined => {
      if (listed.length === 0) return undefined;
      const read = piece.toLowerCase();
      for (let at = 0; at < read.length; at += 1) {
        const character = read.charCodeAt(at);
        let target = next.get(state, character);
        while (target === NONE) {
          state = back[state] ?? ROOT;
          target = next.get(state, character);
        }
        state = target;
        if (state !== ROOT && word[state] !== NONE) return listed[word[state] ?? 0];
      }
      return undefined;
    };
  };
  return { wordCount: listed.length, find: (text) => follow()(text), follow };
};
