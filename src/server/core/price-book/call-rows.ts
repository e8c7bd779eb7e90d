import { priceBuckets } from '../quota/price-factors.ts';

const TAB = 9;
/** The unit separator stands between columns, because one of the columns contains tabs. */
export const BETWEEN_COLUMNS = '\u001f';
const BETWEEN = BETWEEN_COLUMNS.charCodeAt(0);
const COMMA = 44;
const ZERO = 48;
const NINE = 57;

/**
 * A slice of rows, one line each: moment, user, units, cost, `priced`, model and group, separated by `BETWEEN_COLUMNS`.
 * All but `priced` are numbers.
 */
export interface PricedSlice {
  readonly text: string;
  /** Skip rows of this moment and later: the next slice repeats them. */
  readonly untilMs: number;
}

/** The call that a reader has just read. The reader changes it with the next one. */
export interface ReadCall {
  readonly atMs: number;
  readonly user: number;
  readonly units: number;
  readonly costNano: number | undefined;
  /** Tokens by bucket. */
  readonly counts: readonly number[];
  readonly tools: string;
}

/**
 * Reads a slice call by call and character by character: with millions of rows, the only string created for most is that
 * of their kind. After each `next()` that returns true, the fields are the columns of one call.
 */
export class CallRows implements ReadCall {
  atMs = 0;
  user = 0;
  units = 0;
  costNano: number | undefined;
  /** Tokens by bucket. Every row has the same list. */
  readonly counts: number[] = priceBuckets.map(() => 0);
  tools = '';
  #text = '';
  #untilMs = 0;
  #next = 0;
  #at = 0;
  #end = 0;
  /** Whether everything read of this row was present, and a number where one was expected. */
  #isWhole = true;

  open({ text, untilMs }: PricedSlice): void {
    this.#text = text;
    this.#untilMs = untilMs;
    this.#next = 0;
  }

  /** Goes on to the next call of the slice. @returns whether there is one */
  next(): boolean {
    while (this.#next < this.#text.length) {
      const end = this.#text.indexOf('\n', this.#next);
      this.#at = this.#next;
      this.#end = end < 0 ? this.#text.length : end;
      this.#next = this.#end + 1;
      this.#isWhole = true;
      this.atMs = this.#number();
      if (this.atMs >= this.#untilMs) continue;
      this.user = this.#number();
      this.units = this.#number();
      this.costNano = this.#numberOrNone();
      this.#readCounts();
      this.tools = this.#word();
      return true;
    }
    return false;
  }

  /** What this call was charged by, as a text; undefined if the row cannot be read. */
  kind(): string | undefined {
    return this.#isWhole ? this.#text.slice(this.#at, this.#end) : undefined;
  }

  /** The next column: a whole number of 0 or more. */
  #number(): number {
    return this.#numberOrNone() ?? this.#broken();
  }

  #numberOrNone(): number | undefined {
    const from = this.#at;
    const value = this.#digits();
    const isEmpty = this.#at === from;
    this.#pass(BETWEEN);
    return isEmpty ? undefined : value;
  }

  /** The next part: numbers separated by commas, an empty one meaning 0. */
  #readCounts(): void {
    const { counts } = this;
    let isOpen = true;
    for (let index = 0; index < counts.length; index += 1) {
      counts[index] = isOpen ? this.#digits() : 0;
      if (isOpen && this.#text.charCodeAt(this.#at) === COMMA && this.#at < this.#end) this.#at += 1;
      else isOpen = false;
    }
    this.#pass(TAB);
  }

  /** The next part, unparsed. */
  #word(): string {
    if (this.#text.charCodeAt(this.#at) === TAB) {
      this.#at += 1;
      return '';
    }
    const from = this.#at;
    while (this.#at < this.#end && this.#text.charCodeAt(this.#at) !== TAB) this.#at += 1;
    const word = this.#text.slice(from, this.#at);
    this.#pass(TAB);
    return word;
  }

  #digits(): number {
    let value = 0;
    while (this.#at < this.#end) {
      const code = this.#text.charCodeAt(this.#at);
      if (code < ZERO || code > NINE) break;
      value = value * 10 + code - ZERO;
      this.#at += 1;
    }
    return value;
  }

  #pass(code: number): void {
    if (this.#at >= this.#end || this.#text.charCodeAt(this.#at) !== code) this.#broken();
    this.#at += 1;
  }

  #broken(): number {
    this.#isWhole = false;
    return 0;
  }
}
