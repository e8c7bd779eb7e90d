import { type Automaton, buildAutomaton, NONE, START } from './automaton.ts';
import { fold, isAscii, lastLetter } from './fold.ts';

/** Finds which of many words a text contains, ignoring case and alternative spellings of characters. */
export interface WordMatcher {
  readonly wordCount: number;
  /** The first word found, as listed; undefined if there is none. */
  find(text: string): string | undefined;
  /** The same for a text that arrives in pieces; a word may be cut in two. */
  follow(): (piece: string) => string | undefined;
}

/** Up to this many words, the engine's own search is faster. */
const FEW = 12;
const UNSAFE = /[\\^$.*+?()[\]{}|/-]/g;

const searchFor = (words: readonly string[]): RegExp | undefined =>
  words.length <= FEW && words.every((word) => isAscii(word))
    ? new RegExp(`(?:${words.map((word) => word.replace(UNSAFE, String.raw`\$&`)).join('|')})`, 'i')
    : undefined;

/** All words in one normalized form, with the means to find them. */
class Spelling {
  readonly #words: readonly string[];
  readonly #search: RegExp | undefined;
  #automaton: Automaton | undefined;

  constructor(words: readonly string[]) {
    this.#words = words;
    this.#search = searchFor(words);
  }

  /** The number of the word found in a text of ASCII or lower case; `NONE` if none. */
  find(text: string): number {
    if (this.#search === undefined) return this.automaton.wordAt(this.automaton.run(START, text));
    const found = this.#search.exec(text)?.[0];
    return found === undefined ? NONE : this.#words.indexOf(found.toLowerCase());
  }

  get automaton(): Automaton {
    return (this.#automaton ??= buildAutomaton(this.#words));
  }
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.every((word, at) => word === other[at]);

const small = (text: string): string => (isAscii(text) ? text : text.toLowerCase());

const followed = (spelling: Spelling, spell: (text: string) => string): ((piece: string) => number) => {
  const { automaton } = spelling;
  let state = START;
  let pending = '';
  return (piece) => {
    const text = pending + piece;
    const until = lastLetter(text);
    state = automaton.run(state, spell(text.slice(0, until)));
    if (automaton.wordAt(state) !== NONE) return automaton.wordAt(state);
    pending = text.slice(until);
    // The last character may still change, but is searched already.
    return automaton.wordAt(automaton.run(state, spell(pending)));
  };
};

/**
 * Makes a matcher of one word per line; blank lines and surrounding spaces are ignored. A text matches if it contains a
 * word in lower case, or if both match after `fold`, which undoes invisible characters and full-width letters. The time
 * does not depend on the number of words.
 */
export const createWordMatcher = (lines: string): WordMatcher => {
  const listed = [...new Set(lines.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
  const plainWords = listed.map((word) => word.toLowerCase());
  // A word of only invisible characters is searched as it is.
  const readWords = listed.map((word, at) => fold(word).toLowerCase() || (plainWords[at] ?? ''));
  const asRead = new Spelling(readWords);
  const plain = isSame(plainWords, readWords) ? asRead : new Spelling(plainWords);
  const named = (number: number): string | undefined => (number === NONE ? undefined : listed[number]);
  return {
    wordCount: listed.length,
    find: (text) => {
      if (listed.length === 0) return undefined;
      const read = fold(text);
      const found = asRead.find(read);
      // `fold` removes invisible characters, and a word may consist of them.
      if (found !== NONE || (read === text && isAscii(text))) return named(found);
      const lower = text.toLowerCase();
      return plain === asRead && lower === read ? undefined : named(plain.find(lower));
    },
    follow: () => {
      if (listed.length === 0) return () => undefined;
      const findRead = followed(asRead, fold);
      const findPlain = followed(plain, small);
      return (piece) => {
        const found = findRead(piece);
        return named(found === NONE ? findPlain(piece) : found);
      };
    },
  };
};
