/** More changes of byte width than any answer has; positions after that are unknown. */
const MOST_RUNS = 50_000;

/** Consecutive characters with the same number of UTF-8 bytes. */
interface Run {
  readonly bytes: number;
  readonly units: number;
  readonly width: number;
}

const FIRST_RUN: Run = { bytes: 0, units: 0, width: 1 };

/**
 * Converts byte offsets, which Google uses, to character offsets (UTF-16 units) and back, in a text that arrives in chunks,
 * without storing the text. Each half of a surrogate pair counts as two bytes.
 */
export class ByteOffsets {
  readonly #runs: Run[] = [FIRST_RUN];
  #bytes = 0;
  #units = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(text: string): void {
    // Fast path for ASCII, the most frequent case: one run.
    if (text !== '' && Buffer.byteLength(text) === text.length) {
      this.#goOn(1, text.length);
      return;
    }
    for (let start = 0; start < text.length;) {
      const width = widthOf(text.charCodeAt(start));
      let end = start + 1;
      while (end < text.length && widthOf(text.charCodeAt(end)) === width) end += 1;
      this.#goOn(width, end - start);
      start = end;
    }
  }

  #goOn(width: number, units: number): void {
    if (this.#runs.at(-1)?.width !== width && this.#runs.length < MOST_RUNS)
      this.#runs.push({ bytes: this.#bytes, units: this.#units, width });
    this.#bytes += width * units;
    this.#units += units;
  }

  /** The byte at which this character begins; undefined after the end of the text. */
  byteAt(units: number): number | undefined {
    if (!(units >= 0 && units <= this.#units) || this.#runs.length >= MOST_RUNS) return undefined;
    const run = this.#runAt('units', units);
    return run.bytes + (units - run.units) * run.width;
  }

  /** The character at this byte; undefined after the end of the text. */
  characterAt(bytes: number): number | undefined {
    if (!(bytes >= 0 && bytes <= this.#bytes) || this.#runs.length >= MOST_RUNS) return undefined;
    const run = this.#runAt('bytes', bytes);
    return run.units + Math.trunc((bytes - run.bytes) / run.width);
  }

  /** The last run that begins at or before this place, by halving: an answer may cite thousands of places. */
  #runAt(counted: 'bytes' | 'units', place: number): Run {
    let [first, end] = [0, this.#runs.length];
    while (end - first > 1) {
      const middle = (first + end) >> 1;
      if ((this.#runs[middle]?.[counted] ?? Infinity) <= place) first = middle;
      else end = middle;
    }
    return this.#runs[first] ?? FIRST_RUN;
  }
}

const widthOf = (unit: number): number => {
  if (unit < 0x80) return 1;
  return unit < 0x8_00 || (unit >= 0xd8_00 && unit < 0xe0_00) ? 2 : 3;
};
