/** A class of characters from pairs of the first and the last of each stretch. */
const classOf = (pairs: readonly (readonly [number, number])[], beside = ''): string => {
  const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
  return `[${pairs.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('')}${beside}]`;
};

/** All but white space. */
const CONTROLS = [
  [0, 0x08],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
] as const;

const CONTROL = new RegExp(classOf(CONTROLS));
/**
 * What stands in a text without being seen: controls, and whatever Unicode lets a reader ignore (soft hyphens, joiners,
 * zero-width spaces, marks of direction, variation selectors, tags).
 */
const UNSEEN = new RegExp(classOf(CONTROLS, String.raw`\p{Default_Ignorable_Code_Point}\p{Cf}`), 'gu');
/** Units that may be one of these or half of one: looking for units is several times faster than for characters. */
const MAY_BE_UNSEEN = new RegExp(
  classOf([
    ...CONTROLS,
    [0xad, 0xad],
    [0x34f, 0x34f],
    [0x600, 0x605],
    [0x61c, 0x61c],
    [0x6dd, 0x6dd],
    [0x70f, 0x70f],
    [0x890, 0x891],
    [0x8e2, 0x8e2],
    [0x115f, 0x1160],
    [0x17b4, 0x17b5],
    [0x180b, 0x180f],
    [0x200b, 0x200f],
    [0x202a, 0x202e],
    [0x2060, 0x206f],
    [0x3164, 0x3164],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
    [0xfff0, 0xffff],
    [0xd800, 0xdfff],
  ]),
);
/** Marks put over and through letters of any alphabet. Those that a letter is spelled with are a part of it by now (NFKC). */
const LOOSE_MARKS = new RegExp(
  classOf([
    [0x300, 0x36f],
    [0x483, 0x489],
    [0x1ab0, 0x1aff],
    [0x1dc0, 0x1dff],
    [0x20d0, 0x20ff],
    [0xfe20, 0xfe2f],
  ]),
  'g',
);
const FINAL_SIGMA = /ς/g;

/** Whether every character is ASCII: several times faster to tell than anything else about a text. */
export const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/**
 * A text as it is read whatever its spelling: without what is unseen, in compatible forms (NFKC: full-width and styled
 * letters, ligatures), without loose marks, in small letters. Of ASCII the capitals stay: whoever searches takes both.
 */
export const fold = (text: string): string => {
  if (isAscii(text)) return CONTROL.test(text) ? text.replace(UNSEEN, '') : text;
  return (MAY_BE_UNSEEN.test(text) ? text.replace(UNSEEN, '') : text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(LOOSE_MARKS, '')
    .replace(FINAL_SIGMA, 'σ');
};

const MOST_HELD_BACK = 32;
const GOES_ON = /[\p{M}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\udc00-\udfff]/u;

/** Where the last character begins that what follows may still change: a letter before its marks, half a pair. */
export const lastLetter = (text: string): number => {
  let at = text.length - 1;
  const least = Math.max(0, text.length - MOST_HELD_BACK);
  while (at > least && GOES_ON.test(text[at] ?? '')) at -= 1;
  return Math.max(at, 0);
};
