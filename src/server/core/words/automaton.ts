/**
 * Finds the words of a list in a text, in one step per character regardless of the number of words (Aho and Corasick,
 * 1975).
 */
export interface Automaton {
  /** The state after these characters, or after the end of the first word in them. */
  run(state: number, text: string): number;
  /** The number of the word that ends at a state; `NONE` if none does. */
  wordAt(state: number): number;
}

export const START = 0;
export const NONE = -1;

/** The largest table of steps, 32 MB. A table is fastest; larger lists use hashing. */
const MOST_CELLS = 8 * 1024 * 1024;

/** Characters that are in no word share class 0. ASCII capitals share the class of their small letter. */
const classesOf = (words: readonly string[]): { readonly classes: Uint16Array; readonly width: number } => {
  const classes = new Uint16Array(0x1_0000);
  let width = 1;
  for (const word of words) {
    for (let at = 0; at < word.length; at += 1) {
      const code = word.charCodeAt(at);
      if (classes[code] === 0) classes[code] = width++;
    }
  }
  for (let code = 0x41; code <= 0x5a; code += 1) classes[code] = classes[code + 0x20] ?? 0;
  return { classes, width };
};

/** The words must be in lower case. */
export const buildAutomaton = (words: readonly string[]): Automaton => {
  const { classes, width } = classesOf(words);
  const most = countStates(words);
  return most * width <= MOST_CELLS
    ? buildTable(words, classes, width, most)
    : buildHashed(words, classes, most);
};

/** Counts the distinct prefixes of the words: one state for each. */
const countStates = (words: readonly string[]): number => {
  let count = 1;
  let before = '';
  for (const word of words.toSorted()) {
    let alike = 0;
    while (alike < word.length && word[alike] === before[alike]) alike += 1;
    count += word.length - alike;
    before = word;
  }
  return count;
};

/** A state is the offset of its row; a state where a word ends is stored as its complement (`~`). */
const buildTable = (
  words: readonly string[],
  classes: Uint16Array,
  width: number,
  most: number,
): Automaton => {
  const table = new Int32Array(most * width);
  const wordOf = new Int32Array(most).fill(NONE);
  let used = 1;
  words.forEach((text, number) => {
    let state = START;
    for (let at = 0; at < text.length; at += 1) {
      const cell = state + (classes[text.charCodeAt(at)] ?? 0);
      if (table[cell] === 0) table[cell] = width * used++;
      state = table[cell] ?? START;
    }
    if (wordOf[state / width] === NONE) wordOf[state / width] = number;
  });
  // Breadth first: the row of a state's fallback is complete before it is copied.
  const back = new Int32Array(used);
  const queue = [START];
  for (const state of queue) {
    const from = back[state / width] ?? START;
    for (let kind = 1; kind < width; kind += 1) {
      const child = table[state + kind] ?? START;
      const other = state === START ? START : (table[from + kind] ?? START);
      if (child === START) {
        table[state + kind] = other;
        continue;
      }
      back[child / width] = other;
      if (wordOf[child / width] === NONE) wordOf[child / width] = wordOf[other / width] ?? NONE;
      queue.push(child);
    }
  }
  const steps = table.subarray(0, used * width);
  for (let cell = 0; cell < steps.length; cell += 1) {
    const target = steps[cell] ?? START;
    if (target !== START && wordOf[target / width] !== NONE) steps[cell] = ~target;
  }
  return {
    run: (from, text) => {
      let state = from < 0 ? ~from : from;
      for (let at = 0; at < text.length; at += 1) {
        state = steps[state + (classes[text.charCodeAt(at)] ?? 0)] ?? START;
        if (state < 0) return state;
      }
      return state;
    },
    wordAt: (state) => (state < 0 ? (wordOf[~state / width] ?? NONE) : NONE),
  };
};

/** State, character class and target of a step are adjacent, so that one memory access reads all three. */
const SLOT = 3;
/** Number of bits that record which character pairs may begin a word. */
const PAIR_BITS = 1 << 20;

const slotOf = (slots: Int32Array, mask: number, state: number, kind: number): number => {
  let at = (Math.imul(state, 0x9e37_79b1) ^ Math.imul(kind, 0x85eb_ca6b)) >>> 7;
  for (;;) {
    const slot = (at & mask) * SLOT;
    const known = slots[slot];
    if (known === NONE || (known === state && slots[slot + 1] === kind)) return slot;
    at += 1;
  }
};

const pairOf = (one: number, other: number): number =>
  (Math.imul(one, 0x9e37_79b1) ^ Math.imul(other, 0x85eb_ca6b)) >>> 12;

/** For many words in a large alphabet: finds steps by hashing, and rules out most starts by two characters. */
const buildHashed = (words: readonly string[], classes: Uint16Array, most: number): Automaton => {
  let size = 16;
  while (size < most * 2) size *= 2;
  const mask = size - 1;
  const slots = new Int32Array(size * SLOT).fill(NONE);
  const wordOf = new Int32Array(most).fill(NONE);
  const back = new Int32Array(most);
  const pairs = new Uint8Array(PAIR_BITS);
  const isWord = new Uint8Array(0x1_0000);
  const parents = [NONE];
  const kinds = [0];
  words.forEach((text, number) => {
    let state = START;
    for (let at = 0; at < text.length; at += 1) {
      const kind = classes[text.charCodeAt(at)] ?? 0;
      const slot = slotOf(slots, mask, state, kind);
      if (slots[slot] === NONE) {
        slots[slot] = state;
        slots[slot + 1] = kind;
        slots[slot + 2] = kinds.push(kind) - 1;
        parents.push(state);
      }
      state = slots[slot + 2] ?? START;
    }
    if (wordOf[state] === NONE) wordOf[state] = number;
    const first = classes[text.charCodeAt(0)] ?? 0;
    if (text.length === 1) isWord[first] = 1;
    else pairs[pairOf(first, classes[text.charCodeAt(1)] ?? 0)] = 1;
  });
  const fromStart = Int32Array.from({ length: 0x1_0000 }, (_, kind) => {
    const slot = slotOf(slots, mask, START, kind);
    return slots[slot] === NONE ? START : (slots[slot + 2] ?? START);
  });
  const step = (from: number, kind: number): number => {
    for (let state = from; state !== START; state = back[state] ?? START) {
      const slot = slotOf(slots, mask, state, kind);
      if (slots[slot] !== NONE) return slots[slot + 2] ?? START;
    }
    return fromStart[kind] ?? START;
  };
  for (const state of breadthFirst(parents)) {
    const parent = parents[state] ?? START;
    const target = parent === START ? START : step(back[parent] ?? START, kinds[state] ?? 0);
    back[state] = target;
    if (wordOf[state] === NONE) wordOf[state] = wordOf[target] ?? NONE;
  }
  return {
    run: (from, text) => {
      let state = from;
      const last = text.length - 1;
      for (let at = 0; at <= last; at += 1) {
        const kind = classes[text.charCodeAt(at)] ?? 0;
        if (state === START) {
          const isPair = at === last || pairs[pairOf(kind, classes[text.charCodeAt(at + 1)] ?? 0)] === 1;
          if (kind === 0 || (!isPair && isWord[kind] === 0)) continue;
        }
        state = step(state, kind);
        if (wordOf[state] !== NONE) return state;
      }
      return state;
    },
    wordAt: (state) => wordOf[state] ?? NONE,
  };
};

/** States by depth; every state is numbered after its parent. */
const breadthFirst = (parents: readonly number[]): number[] => {
  const levels: number[][] = [];
  const depths = new Int32Array(parents.length);
  for (let state = 1; state < parents.length; state += 1) {
    const depth = (depths[parents[state] ?? START] ?? 0) + 1;
    depths[state] = depth;
    (levels[depth] ??= []).push(state);
  }
  return levels.flat();
};
