/**
 * Signs of other alphabets, and rare ones of our own, that are drawn like a Latin letter or a digit, in small or capital
 * letters. Chosen from the confusables of UTS #39; of a letter that resembles two, the small one counts.
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
  // Apart from their accents, because `ё` is drawn like `ë`.
  return Array.from(folded.normalize('NFD'), (sign) => drawnLike.get(sign) ?? sign)
    .join('')
    .normalize('NFKC');
};

/** Capitals that are drawn like another letter than their small ones are, and digits that are drawn like letters. */
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
 * Folds a name so that names are equal that a reader takes for each other: `PauI` and `paul`, `b0b` and `bob`, `ΗΟΤ` and
 * `hot`. Unlike `nameKey` it tells capitals from small letters, so that nobody signs in by it.
 */
export const drawnKey = (username: string): string => {
  const signs = Array.from(username.normalize('NFKC').normalize('NFD'), (sign) => DRAWN[sign] ?? sign);
  return nameKey(signs.join('').normalize('NFKC'));
};

/** What may be drawn alike in some names; with it a database finds the few names that have to be looked at. */
export const DRAWN_TOGETHER = [
  ['1', 'l'],
  ['i', 'l'],
  ['0', 'o'],
  ['h', 'n'],
  ['v', 'n'],
  ['u', 'y'],
] as const;

/** A name's key with everything that may be drawn alike as one letter. */
export const drawnTogether = (key: string): string =>
  DRAWN_TOGETHER.reduce((folded, [from, to]) => folded.replaceAll(from, to), key);
