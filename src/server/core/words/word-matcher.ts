import { type Automaton, buildAutomaton, NONE, START } from './automaton.ts';
import { fold, isAscii, lastLetter } from './fold.ts';

/** Finds which of many words a text has; upper and lower case are the same, and so are ways to spell a character. */
export interface WordMatcher {
  readonly wordCount: number;
  /** A word found, as it was listed; undefined where there is none. */
  find(text: string): string | undefined;
  /** The same for a text that comes in pieces: a word may be cut between two of them. */
  follow(): (piece: string) => string | undefined;
}

/** So few words are found faster by the engine's own search. */
const FEW = 12;
const UNSAFE = /[\\^$.*+?()[\]{}|/-]/g;

const searchFor = (words: readonly string[]): RegExp | undefined =>
  words.length <= FEW && words.every((word) => isAscii(word))
    ? new RegExp(`(?:${words.map((word) => word.replace(UNSAFE, String.raw`\$&`)).join('|')})`, 'i')
    : undefined;

/** Words in one spelling, and how they are found. */
class Spelling {
  readonly #words: readonly string[];
  readonly #search: RegExp | undefined;
  #automaton: Automaton | undefined;

  constructor(words: readonly string[]) {
    this.#words = words;
    this.#search = searchFor(words);
  }

  /** The number of a word in a text of ASCII, or in small letters; `NONE` for none. */
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
    // Its last character may still change, and is looked at already.
    return automaton.wordAt(automaton.run(state, spell(pending)));
  };
};

/**
 * A matcher of one word a line; blank lines and spaces around words do not count. A text has a word where either has it
 * in small letters, or where both are the same as they are read (`fold`): cut by characters nobody sees, in full-width
 * letters. The time does not depend on how many words there are.
 */
export const createWordMatcher = (lines: string): WordMatcher => {
  const listed = [...new Set(lines.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
  const plainWords = listed.map((word) => word.toLowerCase());
  // A word of nothing but unseen characters is looked for as it stands.
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
      // What is unseen is gone from what is read, and may be all that a word has.
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
