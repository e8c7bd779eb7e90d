/** A regular expression class from the first and last character of each range. */
const classOf = (pairs: readonly (readonly [number, number])[], beside = ''): string => {
  const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
  return `[${pairs.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('')}${beside}]`;
};

/** All control characters except white space. */
const CONTROLS = [
  [0, 0x08],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
] as const;

const CONTROL = new RegExp(classOf(CONTROLS));
/**
 * Invisible characters: controls, and all that Unicode lets readers ignore (soft hyphens, joiners, zero-width spaces,
 * direction marks, variation selectors, tags).
 */
const UNSEEN = new RegExp(classOf(CONTROLS, String.raw`\p{Default_Ignorable_Code_Point}\p{Cf}`), 'gu');
/**
 * UTF-16 units that may be one of these characters or half of one: searching units is several times faster than
 * searching characters.
 */
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
/** Combining marks of any alphabet. NFKC has already merged those that belong to a letter. */
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

/**
 * As many marks of one letter as Unicode expects in any language (UAX #15, Stream-Safe Text). Bounded also because an
 * endless run does not fit on the stack of the search.
 */
const MARKS = /\p{M}{2,30}/gu;

/** Drops the marks after the first thirty: NFKC sorts those of one letter in time that grows with the square of their number. */
const withoutHeaps = (text: string): string => {
  let end = -1;
  return text.replace(MARKS, (marks, at: number) => {
    const isHeaped = at === end;
    end = at + marks.length;
    return isHeaped ? '' : marks;
  });
};

/** Whether a text is all ASCII; several times faster than any other check. */
export const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/**
 * Normalizes a text so that spelling tricks do not matter: no invisible characters, compatible forms (NFKC: full-width
 * and styled letters, ligatures), no loose marks, lower case. ASCII capitals stay: the search accepts both.
 */
export const fold = (text: string): string => {
  if (isAscii(text)) return CONTROL.test(text) ? text.replace(UNSEEN, '') : text;
  return withoutHeaps(MAY_BE_UNSEEN.test(text) ? text.replace(UNSEEN, '') : text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(LOOSE_MARKS, '')
    .replace(FINAL_SIGMA, 'σ');
};

const MOST_HELD_BACK = 32;
const GOES_ON = /[\p{M}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\udc00-\udfff]/u;

/**
 * Where the last character begins that later text may still change: a letter before its marks, half a surrogate pair.
 */
export const lastLetter = (text: string): number => {
  let at = text.length - 1;
  const least = Math.max(0, text.length - MOST_HELD_BACK);
  while (at > least && GOES_ON.test(text[at] ?? '')) at -= 1;
  return Math.max(at, 0);
};
