/**
 * Characters of other alphabets, and rare Latin ones, that look like a Latin letter or digit, in small or capital
 * form. From the confusables of UTS #39; a character that resembles two letters counts as the small one.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ',
  b: 'вьβʙ',
  c: 'сᴄ',
  d: 'ԁᴅ',
  e: 'еεҽᴇ',
  f: 'ꜰ',
  g: 'ցԍɡɢ',
  h: 'нһհʜ',
  i: 'іιɩɪ',
  j: 'јյȷᴊ',
  k: 'кκᴋ',
  l: 'ӏʟ',
  m: 'мμᴍ',
  n: 'пηոɴ',
  o: 'оοσօᴏ',
  p: 'рρᴘ',
  q: 'ԛզգ',
  r: 'гʀ',
  s: 'ѕꜱ',
  t: 'тτᴛ',
  u: 'υսᴜ',
  v: 'ѵνʋᴠ',
  w: 'ԝωᴡ',
  x: 'хχ',
  y: 'уүγʏ',
  z: 'ζᴢ',
  3: 'з',
  6: 'б',
};

const drawnLike = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin])),
);

/**
 * Folds a name so that names that look alike are equal: in any case and width, with ligatures (`ß`, `ﬁ`), and written with
 * letters of another alphabet. The databases cannot do this: SQLite folds only ASCII, PostgreSQL depends on its locale.
 */
export const nameKey = (username: string): string => {
  const folded = username.normalize('NFKC').toUpperCase().toLowerCase();
  // Accents are separated first, because `ё` looks like `ë`.
  return Array.from(folded.normalize('NFD'), (sign) => drawnLike.get(sign) ?? sign)
    .join('')
    .normalize('NFKC');
};

/** Capitals that look like another letter than their small form does, and digits that look like letters. */
const DRAWN: Readonly<Record<string, string>> = {
  I: 'l',
  Ι: 'l',
  І: 'l',
  Η: 'h',
  Ν: 'n',
  Υ: 'y',
  1: 'l',
  0: 'o',
};

/**
 * Folds a name so that names which readers confuse become equal: `PauI` and `paul`, `b0b` and `bob`, `ΗΟΤ` and `hot`.
 * Unlike `nameKey` it distinguishes capitals from small letters, so it is not used for signing in.
 */
export const drawnKey = (username: string): string => {
  const signs = Array.from(username.normalize('NFKC').normalize('NFD'), (sign) => DRAWN[sign] ?? sign);
  return nameKey(signs.join('').normalize('NFKC'));
};

/** Letters that may look alike in some names. With them a database finds the few names that must be compared. */
export const DRAWN_TOGETHER = [
  ['1', 'l'],
  ['i', 'l'],
  ['0', 'o'],
  ['h', 'n'],
  ['v', 'n'],
  ['u', 'y'],
] as const;

/** A name's key with letters that may look alike replaced by one of them. */
export const drawnTogether = (key: string): string =>
  DRAWN_TOGETHER.reduce((folded, [from, to]) => folded.replaceAll(from, to), key);
