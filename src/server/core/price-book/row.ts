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

/**
 * Reads one line from left to right: columns, one of which holds tab-separated parts that say what a call was charged
 * by.
 */
export class Row {
  #text = '';
  #at = 0;
  #end = 0;
  readonly #counts: number[] = priceBuckets.map(() => 0);
  /** Whether everything read so far was present, and a number where one was expected. */
  isWhole = true;

  begin(text: string, from: number, end: number): void {
    this.#text = text;
    this.#at = from;
    this.#end = end;
    this.isWhole = true;
  }

  /** The next column: a whole number of 0 or more. */
  number(): number {
    return this.numberOrNone() ?? this.#broken();
  }

  numberOrNone(): number | undefined {
    const from = this.#at;
    const value = this.#digits();
    const isEmpty = this.#at === from;
    this.#pass(BETWEEN);
    return isEmpty ? undefined : value;
  }

  /** The next part: numbers separated by commas, an empty one meaning 0. Every call returns the same list. */
  numbers(): readonly number[] {
    const counts = this.#counts;
    let isOpen = true;
    for (let index = 0; index < counts.length; index += 1) {
      counts[index] = isOpen ? this.#digits() : 0;
      if (isOpen && this.#text.charCodeAt(this.#at) === COMMA && this.#at < this.#end) this.#at += 1;
      else isOpen = false;
    }
    this.#pass(TAB);
    return counts;
  }

  /** The next part, unparsed. */
  word(): string {
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

  rest(): string {
    return this.#text.slice(this.#at, this.#end);
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
    this.isWhole = false;
    return 0;
  }
}
