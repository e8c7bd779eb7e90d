import { priceBuckets } from '../quota/price-factors.ts';

const TAB = 9;
/** Stands between what is read of a row, one of which has tabs in it: the unit separator. */
export const BETWEEN_COLUMNS = '\u001f';
const BETWEEN = BETWEEN_COLUMNS.charCodeAt(0);
const COMMA = 44;
const ZERO = 48;
const NINE = 57;

/** One line, read from the left: columns, and in one of them, with tabs between, what a call was charged by. */
export class Row {
  #text = '';
  #at = 0;
  #end = 0;
  readonly #counts: number[] = priceBuckets.map(() => 0);
  /** Whether all that was read was there and a number where one is expected. */
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

  /** The next part: numbers with commas between them, none for 0. They are the same list each time. */
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

  /** The next part as it is. */
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
