import type { Fields } from './fields.ts';

/** A hash without known collisions. */
export type Digest = (bytes: Uint8Array) => string;

/** A message or tool that occurred in an earlier body. */
export interface KnownPart {
  readonly bytes: Buffer;
  readonly digest: string;
  readonly value: Fields;
  /** The number of values and members that a survey of it counts. */
  readonly values: number;
  readonly members: number;
  /** The marks that occur in its text. */
  readonly marks: readonly string[];
  /** The part that followed it in the last body; usually the same one follows in the next. */
  next: KnownPart | undefined;
  generation: number;
}

/** The size of an entry besides its text. */
const ENTRY_BYTES = 256;
/**
 * The size of each of two generations: the sessions of some twenty agents. They take about three times as much memory.
 */
const GENERATION_BYTES = 4 * 1024 * 1024;

const shared = new WeakSet<object>();

/** Whether an object may be part of several bodies. It is frozen, so whatever is derived from it stays valid. */
export const isSharedPart = (value: object): boolean => shared.has(value);

/**
 * Remembers the messages and tools of long bodies, because an agent sends its whole history again with every call. A
 * part is known only if all of its bytes are the same. Its object is frozen and shared by all bodies that contain it.
 * Bounded: parts not met for the longest time are dropped first.
 */
export class KnownParts {
  readonly digest: Digest;
  readonly marks: readonly string[];
  readonly #generationBytes: number;
  #generation = 0;
  #young = new Map<string, KnownPart>();
  #old = new Map<string, KnownPart>();
  #youngBytes = 0;

  /** `marks`: texts to look for in a body. None may contain a brace or a colon. */
  constructor(digest: Digest, marks: readonly string[], generationBytes = GENERATION_BYTES) {
    this.digest = digest;
    this.marks = marks;
    this.#generationBytes = generationBytes;
  }

  find(digest: string): KnownPart | undefined {
    return this.#young.get(digest) ?? this.#old.get(digest);
  }

  /** Keeps a part that was met again. */
  keep(part: KnownPart): void {
    if (part.generation === this.#generation) return;
    this.#youngBytes += part.bytes.length + ENTRY_BYTES;
    if (this.#youngBytes > this.#generationBytes) this.#turn(part.bytes.length + ENTRY_BYTES);
    part.generation = this.#generation;
    this.#young.set(part.digest, part);
  }

  /** Remembers a part that was parsed. */
  add(part: Omit<KnownPart, 'next' | 'generation'>): KnownPart {
    const known: KnownPart = { ...part, next: undefined, generation: -1 };
    freeze(known.value);
    shared.add(known.value);
    this.keep(known);
    return known;
  }

  /** Drops the oldest parts, and the links to what followed them unless that was met since. */
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
