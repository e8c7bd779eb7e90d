import { HELD_BYTES_PER_TOKEN } from '#core/quota/charge.ts';
import { randomInt } from 'node:crypto';

/**
 * Tokens by kinds of characters: a little more than any of five tokenizers counts (o200k, cl100k, Gemini's, Claude's and
 * DeepSeek's), for prose, code and data, and about as many for random letters, digits and rare scripts. So it is near
 * the truth where a token for two bytes is far above it (prose), or below (digits, base64).
 */

/** The pairs of letters that words of European languages have, by their first letter. Others cost a token of their own. */
const PAIRS = [
  'a bcdefghijklmnoprstuvwxyz',
  'b aeijlorsuy',
  'c acehiklmorstuyz',
  'd abdefgilmorstuyz',
  'e abcdefghiklmnopqrstuvwxyz',
  'f acefilorstuy',
  'g aeghilnoprstu',
  'h aeilnorstu',
  'i abcdefghjklmnoprstvxz',
  'j aeosu',
  'k aeiklnorstu',
  'l acdefhijklopstuvy',
  'm abdegilmopsu',
  'n acdefghijklnopstuvy',
  'o abcdefghiklmnoprstuvwxz',
  'p adehilmoprstux',
  'q u',
  'r acdefgiklmnoprstuvyz',
  's acefhiklmnoprstuvwyz',
  't acdefhilmoprstuwyz',
  'u abcdefghiklmnoprstz',
  'v aegio',
  'w aehinorsw',
  'x aceipt',
  'y eklnopst',
  'z aeiouz',
];

const A = 97;
const LETTERS = 26;
const common = new Uint8Array(LETTERS * LETTERS);
for (const [first, , ...seconds] of PAIRS)
  for (const second of seconds) common[pairAt(first ?? '', second)] = 1;

function pairAt(first: string, second: string): number {
  return (first.charCodeAt(0) - A) * LETTERS + second.charCodeAt(0) - A;
}

/** What a character adds, in hundredths of a token. */
const WORD = 105;
const NEXT_LETTER = 15;
const NEXT_CAPITAL = 40;
const ODD_LETTER = 110;
const SAME_LETTER = 35;
const DIGIT = 105;
const SIGN = 75;
const SAME_SIGN = 20;
/** Signs that are written as two where a text stands in JSON, as in the input of a tool. */
const SAME_ESCAPED = 100;
const SPACE = 100;
const SAME_SPACE = 7;
/** `\u0001` in JSON. */
const CONTROL = 600;
const DELETE = 105;

/** Beyond ASCII: up to this code a letter (of two, in a pair of surrogates) adds this much. */
const SCRIPTS: readonly (readonly [number, number])[] = [
  [0xff, 140], // Latin with accents
  [0x24f, 190],
  [0x36f, 205],
  [0x3ff, 125], // Greek
  [0x45f, 80], // Cyrillic
  [0x5cf, 205],
  [0x5ff, 125], // Hebrew
  [0x6ff, 120], // Arabic
  [0x7ff, 205],
  [0x8ff, 305],
  [0xaff, 190], // of India
  [0xb7f, 300], // Odia
  [0xdff, 190], // of India
  [0xe7f, 190], // Thai
  [0xeff, 240], // Lao
  [0xfff, 340], // Tibetan
  [0x10ff, 255], // Burmese, Georgian
  [0x1dff, 305],
  [0x1eff, 225], // Vietnamese
  [0x1fff, 300],
  [0x200f, 180],
  [0x2027, 105], // dashes, quotation marks
  [0x206f, 180],
  [0x227f, 205], // arrows and signs of mathematics
  [0x24ff, 300],
  [0x27ff, 240], // frames, blocks, signs in colour
  [0x2fff, 305],
  [0x30ff, 155], // Kana
  [0x4dff, 305],
  [0x9fff, 130], // Chinese
  [0xabff, 305],
  [0xd7ff, 190], // Korean
  [0xdfff, 200], // emoji, and scripts of old
  [0xfeff, 305],
  [0xff65, 155],
  [0xffef, 205],
];

/** Letters of Chinese, Japanese and Korean that are in daily use, by the standards that listed them. Rare ones cost more. */
const DAILY = [
  ['gbk', 0xb0, 0xd7],
  ['big5', 0xa4, 0xc6],
  ['euc-jp', 0xb0, 0xcf],
  ['euc-kr', 0xb0, 0xc8],
] as const;
const FIRST_DAILY = 0x4e00;
const RARE = 340;

const listDaily = (): Uint8Array => {
  const daily = new Uint8Array(0xd800 - FIRST_DAILY);
  for (const [encoding, firstRow, lastRow] of DAILY) {
    const rows = Array.from({ length: lastRow - firstRow + 1 }, (_, row) => row + firstRow);
    const cells = Array.from({ length: 0xff - 0x40 }, (_, cell) => cell + 0x40);
    for (const letter of new TextDecoder(encoding).decode(
      Buffer.from(rows.flatMap((row) => cells.flatMap((cell) => [row, cell]))),
    ))
      if (letter >= '\u4e00' && letter < '\ud800') daily[letter.charCodeAt(0) - FIRST_DAILY] = 1;
  }
  return daily;
};

let daily: Uint8Array | undefined;

const scriptCost = (code: number): number => {
  if (code >= FIRST_DAILY && code < 0xd800 && (code <= 0x9fff || code >= 0xac00))
    return (daily ??= listDaily())[code - FIRST_DAILY] === 1 ? (code <= 0x9fff ? 130 : 190) : RARE;
  for (const [last, cost] of SCRIPTS) if (code <= last) return cost;
  return 205;
};

const ASCII = 128;

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
const isCapital = (code: number): boolean => code >= 65 && code <= 90;
/** The place of a letter in the alphabet; -1 for what is none. */
const letterOf = (code: number): number => {
  const small = isCapital(code) ? code + 32 : code;
  return small >= A && small < A + LETTERS ? small - A : -1;
};

/** What an ASCII character adds after another. */
const costAfter = (before: number, code: number): number => {
  const letter = letterOf(code);
  if (letter !== -1) {
    const last = letterOf(before);
    if (last === -1 || (isCapital(code) && !isCapital(before))) return WORD;
    if (code === before) return SAME_LETTER;
    if (common[last * LETTERS + letter] === 0) return ODD_LETTER;
    return isCapital(code) ? NEXT_CAPITAL : NEXT_LETTER;
  }
  if (code >= 48 && code <= 57) return before === 32 ? 2 * DIGIT : DIGIT;
  if (isSpace(code)) {
    if (code === before) return code === 32 ? SAME_SPACE : SAME_ESCAPED;
    // A single space is part of the word after it.
    return code !== 32 || isSpace(before) ? SPACE : 0;
  }
  if (code < 32) return CONTROL;
  if (code === 127) return DELETE;
  if (code !== before) return SIGN;
  return code === 34 || code === 92 ? SAME_ESCAPED : SAME_SIGN;
};

const costs = Uint16Array.from({ length: ASCII * ASCII }, (_, at) =>
  costAfter(Math.floor(at / ASCII), at % ASCII),
);

/** The tokens of a text from one place to another. Linear. */
export const closeTokens = (text: string, start = 0, end = text.length): number => {
  let cost = 0;
  let before = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code < ASCII) {
      cost += costs[before * ASCII + code] ?? 0;
      before = code;
    } else {
      cost += scriptCost(code);
      before = 0;
    }
  }
  return cost / 100;
};

/** Shorter texts are read letter by letter, as there may be thousands; each has a token beside it that is held for. */
const LOOKED_AT_LENGTH = 192;
const LOOKS = 12;
const LOOK_LENGTH = 16;

/** The places that are looked at are different each time, so that nobody can write prose there and digits between them. */
let place = randomInt(2 ** 32);
const nextPlace = (below: number): number => {
  place = (Math.imul(place, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((place / 2 ** 32) * below);
};

/**
 * The tokens to hold for a text of so many bytes: one for two, or more where pieces of the text show that it is denser
 * than prose and code are.
 */
export const safeTokens = (text: string, bytes: number): number => {
  const usual = bytes / HELD_BYTES_PER_TOKEN;
  const { length } = text;
  if (length < LOOKED_AT_LENGTH) return Math.max(usual, closeTokens(text) - 1);
  let seen = 0;
  const apart = Math.floor(length / LOOKS);
  for (let look = 0; look < LOOKS; look += 1) {
    const start = look * apart + nextPlace(apart - LOOK_LENGTH);
    seen += closeTokens(text, start, start + LOOK_LENGTH);
  }
  const isDense = seen * length > usual * LOOKS * LOOK_LENGTH;
  return isDense ? denserTokens(text, bytes) : usual;
};

/** The same, of a text that is read letter by letter. */
export const denserTokens = (text: string, bytes: number): number =>
  Math.max(bytes / HELD_BYTES_PER_TOKEN, closeTokens(text));
