/** A collision-free hash; shorter than any text that is remembered in full. */
export type Digest = (text: string) => string;

/** Shorter texts are searched as quickly as they are looked up. */
const LEAST_CHARACTERS = 128;
/** The engine hashes strings up to this length completely, and longer ones by their length alone. */
const MOST_HASHED_CHARACTERS = 16_383;
/** The memory of an entry besides its text, in characters. */
const ENTRY_CHARACTERS = 64;
/** The size of each of two generations: the longest prompts of some eighty sessions. */
const GENERATION_CHARACTERS = 8 * 1024 * 1024;

/**
 * Remembers texts in which no listed word was found, because an agent sends its whole history again with every call. A
 * text is recognized only if it is entirely the same or, if long, has the same digest. Bounded: the least recently used
 * texts are dropped first.
 */
export class CleanTexts {
  #young = new Set<string>();
  #old = new Set<string>();
  #youngCharacters = 0;
  readonly #generationCharacters: number;

  constructor(generationCharacters = GENERATION_CHARACTERS) {
    this.#generationCharacters = generationCharacters;
  }

  /** Whether `text` is clean: remembered as such, or found so by `isClean` now. */
  check(text: string, isClean: (text: string) => boolean, digest: Digest): boolean {
    if (text.length < LEAST_CHARACTERS) return isClean(text);
    const key = text.length > MOST_HASHED_CHARACTERS ? digest(text) : text;
    if (this.#young.has(key)) return true;
    if (!this.#old.has(key) && !isClean(text)) return false;
    this.#add(key);
    return true;
  }

  #add(key: string): void {
    this.#youngCharacters += key.length + ENTRY_CHARACTERS;
    if (this.#youngCharacters > this.#generationCharacters) {
      this.#old = this.#young;
      this.#young = new Set();
      this.#youngCharacters = key.length + ENTRY_CHARACTERS;
    }
    this.#young.add(key);
  }
}
