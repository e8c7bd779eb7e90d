import type { Fields } from './fields.ts';

/** A hash that no two texts share. */
export type Digest = (bytes: Uint8Array) => string;

/** A message or a tool that was in a body before. */
export interface KnownPart {
  readonly bytes: Buffer;
  readonly digest: string;
  readonly value: Fields;
  /** How many values and members a survey of it counts. */
  readonly values: number;
  readonly members: number;
  /** Which of the marks stand in its text. */
  readonly marks: readonly string[];
  /** What came after it in the last body: mostly the same as in the next. */
  next: KnownPart | undefined;
  generation: number;
}

/** What an entry takes besides its text. */
const ENTRY_BYTES = 256;
/** Of each of two generations: the sessions of some twenty agents. It takes about three times as much. */
const GENERATION_BYTES = 4 * 1024 * 1024;

const shared = new WeakSet<object>();

/** Whether an object may be in many bodies. Nobody can change it, so what is found out about it stays true. */
export const isSharedPart = (value: object): boolean => shared.has(value);

/**
 * Remembers the messages and tools of long bodies: an agent sends its whole history again with every call. A part is
 * known only if all of its bytes are the same. Its object is frozen and shared by all bodies that have it. Bounded: the
 * parts that were not met longest go first.
 */
export class KnownParts {
  readonly digest: Digest;
  readonly marks: readonly string[];
  readonly #generationBytes: number;
  #generation = 0;
  #young = new Map<string, KnownPart>();
  #old = new Map<string, KnownPart>();
  #youngBytes = 0;

  /** `marks`: what is looked for in the text of a body. None may hold a brace or a colon. */
  constructor(digest: Digest, marks: readonly string[], generationBytes = GENERATION_BYTES) {
    this.digest = digest;
    this.marks = marks;
    this.#generationBytes = generationBytes;
  }

  find(digest: string): KnownPart | undefined {
    return this.#young.get(digest) ?? this.#old.get(digest);
  }

  /** A part was met: it stays. */
  keep(part: KnownPart): void {
    if (part.generation === this.#generation) return;
    this.#youngBytes += part.bytes.length + ENTRY_BYTES;
    if (this.#youngBytes > this.#generationBytes) this.#turn(part.bytes.length + ENTRY_BYTES);
    part.generation = this.#generation;
    this.#young.set(part.digest, part);
  }

  /** Remembers a part that was read. */
  add(part: Omit<KnownPart, 'next' | 'generation'>): KnownPart {
    const known: KnownPart = { ...part, next: undefined, generation: -1 };
    freeze(known.value);
    shared.add(known.value);
    this.keep(known);
    return known;
  }

  /** The oldest parts go. What followed them goes too, unless it was met since. */
  #turn(firstBytes: number): void {
    for (const part of this.#old.values()) if (part.generation < this.#generation) part.next = undefined;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = firstBytes;
    this.#generation += 1;
  }
}

const freeze = (value: object): void => {
  for (const inner of Object.values(value) as unknown[])
    if (typeof inner === 'object' && inner !== null) freeze(inner);
  Object.freeze(value);
};
