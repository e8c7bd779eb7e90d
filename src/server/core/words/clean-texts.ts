/** A hash that no two texts share; shorter than any text that is remembered as it is. */
export type Digest = (text: string) => string;

/** Shorter texts are searched as quickly as they are looked up. */
const LEAST_CHARACTERS = 128;
/** The engine hashes the whole of a string up to this length, and of a longer one its length alone. */
const MOST_HASHED_CHARACTERS = 16_383;
/** What an entry takes besides its text, in characters. */
const ENTRY_CHARACTERS = 64;
/** Of each of two generations; the longest prompts of some eighty sessions. */
const GENERATION_CHARACTERS = 8 * 1024 * 1024;

/**
 * Remembers texts in which no listed word was found: an agent sends its whole history again with every call. A text is
 * known only if all of it is the same, or has the same digest if it is long. Bounded: the texts that were not asked for
 * longest go first.
 */
export class CleanTexts {
  #young = new Set<string>();
  #old = new Set<string>();
  #youngCharacters = 0;
  readonly #generationCharacters: number;

  constructor(generationCharacters = GENERATION_CHARACTERS) {
    this.#generationCharacters = generationCharacters;
  }

  /** Whether `text` was found clean before. If not, it is now once `isClean` says so. */
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
