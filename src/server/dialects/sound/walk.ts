/**
 * Reads a file as it arrives, a few bytes at a time. It yields how many bytes it has finished with and how many it
 * needs next. It is then given at least as many, or fewer at the end of the file.
 */
export type Walk = Generator<readonly [done: number, wanted: number], void, Buffer>;

/** The result of a walk. */
export interface Heard {
  seconds: number;
  /** Bytes that may be audio of unknown duration. */
  unknownBytes: number;
}

const NOTHING = Buffer.alloc(0);

/** Runs a walk over pieces of a file, split anywhere. It buffers no more than the walk needs at once. */
export class Walker {
  readonly #walk: Walk;
  #rest: Buffer = NOTHING;
  #skip = 0;
  #wanted = 0;
  #isOver = false;

  constructor(walk: Walk) {
    this.#walk = walk;
    this.#take(walk.next(NOTHING));
  }

  push(piece: Buffer): void {
    if (this.#isOver) return;
    const skipped = Math.min(this.#skip, piece.length);
    this.#skip -= skipped;
    if (skipped === piece.length) return;
    const fresh = piece.subarray(skipped);
    this.#rest = this.#rest.length === 0 ? fresh : Buffer.concat([this.#rest, fresh]);
    while (!this.#isOver && this.#skip === 0 && this.#rest.length >= this.#wanted)
      this.#take(this.#walk.next(this.#rest));
    // The caller may reuse the piece, so copy the rest.
    this.#rest = this.#rest.length === 0 ? NOTHING : Buffer.from(this.#rest);
  }

  end(): void {
    while (!this.#isOver) this.#take(this.#walk.next(this.#skip > 0 ? NOTHING : this.#rest));
  }

  #take({ value, done }: IteratorResult<readonly [number, number], void>): void {
    this.#isOver = done === true;
    if (value === undefined) return;
    const [used, wanted] = value;
    this.#skip += Math.max(0, used - this.#rest.length);
    this.#rest = this.#rest.subarray(used);
    this.#wanted = Math.max(1, wanted);
  }
}
