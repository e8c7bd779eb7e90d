/**
 * A pattern in which `*` stands for any characters and `\*` for a star: the literal texts between the stars. It is searched
 * from left to right, each literal once, so that no text and no pattern takes more than one pass for each star.
 */
export type Glob = readonly string[];

/** The most stars of a pattern: each is one more search through the text. */
export const STARS_MAX = 4;

/** Reads a pattern. */
export const globOf = (pattern: string): Glob => {
  if (!pattern.includes('\\')) return pattern.split('*');
  const literals = [''];
  for (let at = 0; at < pattern.length; at += 1) {
    const isEscaped = pattern[at] === '\\' && pattern[at + 1] === '*';
    if (isEscaped) at += 1;
    if (pattern[at] === '*' && !isEscaped) literals.push('');
    else literals[literals.length - 1] += pattern[at] ?? '';
  }
  return literals;
};

/** What the stars stand for if the whole text fits, each as short as can be; undefined if it does not. */
export const capturesOf = (glob: Glob, text: string): readonly string[] | undefined => {
  const first = glob[0] ?? '';
  if (glob.length === 1) return text === first ? [] : undefined;
  const last = glob.at(-1) ?? '';
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return undefined;
  const end = text.length - last.length;
  const captures: string[] = [];
  let from = first.length;
  for (const literal of glob.slice(1, -1)) {
    const at = text.indexOf(literal, from);
    if (at < 0 || at + literal.length > end) return undefined;
    captures.push(text.slice(from, at));
    from = at + literal.length;
  }
  captures.push(text.slice(from, end));
  return captures;
};

/** Whether the whole text fits. */
export const fits = (glob: Glob, text: string): boolean => capturesOf(glob, text) !== undefined;

/**
 * The text with every place that fits replaced. A star at the beginning reaches back to the place before, one at the end to
 * the end of the text. Undefined if the result would have more than `most` characters.
 */
export const replaced = (glob: Glob, text: string, by: string, most: number): string | undefined => {
  const parts: string[] = [];
  let length = text.length;
  let from = 0;
  while (from < text.length) {
    const found = nextIn(glob, text, from);
    if (found === undefined) break;
    const [start, end] = found;
    length += by.length - (end - start);
    if (length > most && by.length > 0) return undefined;
    parts.push(text.slice(from, start), by);
    from = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
};

/** The next match, as short as possible; never an empty one. */
const nextIn = (
  glob: Glob,
  text: string,
  from: number,
): readonly [start: number, end: number] | undefined => {
  let start: number | undefined = glob[0] === '' && glob.length > 1 ? from : undefined;
  let end = from;
  for (const literal of glob) {
    if (literal === '') continue;
    const at = text.indexOf(literal, end);
    if (at < 0) return undefined;
    start ??= at;
    end = at + literal.length;
  }
  if (glob.length > 1 && glob.at(-1) === '') end = text.length;
  return start === undefined || end === start ? undefined : [start, end];
};
