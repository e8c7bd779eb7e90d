import { closeTokens } from '../openai/usage/close-tokens.ts';
import { isDigit, lettersOf } from './digits.ts';
import { Untold } from './inflate.ts';

const [OPEN, CLOSE, LESS, MORE, ESCAPE] = [0x28, 0x29, 0x3c, 0x3e, 0x5c];
const CODES = 0x10000;
const MOST_CODE = CODES - 1;
const LETTERS_PER_TOKEN = 2;
/** So many codes are read in all tables of a file: dozens of fonts may name every code there is. */
const MOST_READ = 2_000_000;
/** A letter that stands for more is not usual: it counts for codes of any length, as some readers take it. */
const USUAL = 8;

/** As how many letters each UTF-16 unit of a text counts. */
let known: Float64Array | undefined;
const weights = (): Float64Array =>
  (known ??= Float64Array.from({ length: CODES }, (_, unit) =>
    unit < 0x80 ? lettersOf(unit) : closeTokens(String.fromCharCode(unit)) * LETTERS_PER_TOKEN,
  ));

const unitsOf = (hex: string): number[] => (hex.match(/.{1,4}/g) ?? []).map((unit) => parseInt(unit, 16));

const hexDigit = (byte: number): number => {
  if (isDigit(byte)) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

/** The byte after a backslash, which may be up to three octal digits, and how many bytes it takes. */
const escapedAt = (content: Buffer, at: number): readonly [code: number, bytes: number] => {
  let [code, bytes] = [0, 0];
  for (; bytes < 3; bytes += 1) {
    const digit = (content[at + bytes] ?? 0) - 0x30;
    if (digit < 0 || digit > 7) break;
    code = code * 8 + digit;
  }
  return bytes === 0 ? [content[at] ?? 0, 1] : [code % 0x100, bytes];
};

const TOKEN = /<([\da-fA-F\s]*)>|\b(?:begin|end)bf(?:char|range)\b|[[\]]/g;

/**
 * The texts that a PDF shows, by what its fonts' tables say that their codes stand for (ISO 32000, 9.10.3): a code of one
 * or two bytes may be a letter, or a whole text. Which font shows a text is not looked at: the longest counts.
 */
export class PdfLetters {
  readonly #ofOne = Float64Array.from({ length: 0x100 }, (_, byte) => lettersOf(byte));
  #ofTwo: Float64Array | undefined;
  #left = MOST_READ;

  /** Reads a table from codes to texts. */
  learn(table: Buffer): void {
    let mode = '';
    let codes: string[] = [];
    let isList = false;
    for (const [token, inside] of table.toString('latin1').matchAll(TOKEN)) {
      const hex = inside?.replaceAll(/\s/g, '');
      if (hex === undefined) {
        if (token === ']') codes = [];
        isList = token === '[';
        if (token.length > 1) [mode, codes] = [token, []];
      } else if (mode === 'beginbfchar') {
        if (codes.push(hex) < 2) continue;
        this.#note(codes[0] ?? '', 1, hex);
        codes = [];
      } else if (mode === 'beginbfrange') {
        if (codes.push(hex) < 3) continue;
        const [first = '', last = ''] = codes;
        const from = parseInt(first, 16);
        this.#note(first, isList ? 1 : parseInt(last, 16) - from + 1, hex);
        codes = isList ? [(from + 1).toString(16).padStart(first.length, '0'), last] : [];
      }
    }
  }

  /** How many letters a stream shows. */
  in(content: Buffer): number {
    let [letters, depth, hex] = [0, 0, -1];
    let codes: number[] = [];
    const end = (): void => {
      letters += this.#lettersOf(codes);
      codes = [];
    };
    for (let at = 0; at < content.length; at += 1) {
      const byte = content[at] ?? 0;
      if (depth > 0) {
        if (byte === ESCAPE) {
          const [code, digits] = escapedAt(content, at + 1);
          codes.push(code);
          at += digits;
          continue;
        }
        if (byte === OPEN) depth += 1;
        else if (byte === CLOSE) depth -= 1;
        if (depth === 0) end();
        else codes.push(byte);
      } else if (hex >= 0) {
        if (byte === MORE) {
          end();
          hex = -1;
          continue;
        }
        const digit = hexDigit(byte);
        if (digit < 0) continue;
        if (hex % 2 === 0) codes.push(digit * 16);
        else codes[codes.length - 1] = (codes.at(-1) ?? 0) + digit;
        hex += 1;
      } else if (byte === OPEN) depth = 1;
      else if (byte === LESS && content[at + 1] === LESS) at += 1;
      else if (byte === LESS) hex = 0;
    }
    return letters;
  }

  #lettersOf(codes: readonly number[]): number {
    let [ofOne, ofTwo] = [0, 0];
    for (const code of codes) ofOne += this.#ofOne[code] ?? 0;
    const two = this.#ofTwo;
    if (two === undefined) return ofOne;
    for (let at = 0; at < codes.length; at += 2)
      ofTwo += two[(codes[at] ?? 0) * 0x100 + (codes[at + 1] ?? 0)] ?? 0;
    return Math.max(ofOne, ofTwo);
  }

  /** Codes in a row, the last unit of whose text grows with them. */
  #note(first: string, count: number, text: string): void {
    const from = parseInt(first, 16);
    const units = unitsOf(text);
    const last = units.pop() ?? 0;
    const ofUnits = weights();
    const before = units.reduce((sum, unit) => sum + (ofUnits[unit] ?? 0), 0);
    if (!(count > 0) || Number.isNaN(from)) return;
    this.#left -= count + units.length;
    if (this.#left < 0 || first.length > 4 || from + count > CODES) throw new Untold();
    const isOne = first.length <= 2;
    const ofOne = this.#ofOne;
    const ofTwo = isOne ? this.#ofTwo : this.#twos();
    for (let at = 0; at < count; at += 1) {
      const letters = before + (ofUnits[(last + at) & MOST_CODE] ?? 0);
      const code = from + at;
      const isUsual = letters <= USUAL;
      if (code < 0x100 && (isOne || !isUsual) && letters > (ofOne[code] ?? 0)) ofOne[code] = letters;
      if (isOne && isUsual) continue;
      const two = ofTwo ?? this.#twos();
      if (letters > (two[code] ?? 0)) two[code] = letters;
    }
  }

  #twos(): Float64Array {
    return (this.#ofTwo ??= new Float64Array(CODES).fill(2));
  }
}
