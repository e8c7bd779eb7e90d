/** What a program for tables takes for the beginning of a formula, also in wide or small letters. */
const SIGNS = '=+\\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u2212';
/**
 * Blanks, signs that are not seen and quotes, which programs leave out before they look. No separator: each is looked from. A
 * single class, because a sign that two alternatives know is tried as either: fifty of them would take years.
 */
const PASSED = '(?:(?![\\t\\r\\n])[\\s\\p{C}"\\u115F\\u1160\\u2800\\u3164\\uFFA0])*';
/** The beginning of a cell that would be a formula. */
const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|${PASSED}[${SIGNS}])`, 'u');
/**
 * Where the same begins after a semicolon, a bar, a tab or a line break, at which programs of some countries split, in quotes
 * or not: to them a quote that does not begin a cell is a sign like others.
 */
const INNER_FORMULA = new RegExp(`([;|\\t\\r\\n]${PASSED})(?=[${SIGNS}])`, 'gu');
/** What a cell has that is not written as it is; most have none of it. */
const SPECIAL = new RegExp(`[,";|\\t\\r\\n${SIGNS}]`, 'u');
const SPLITS = /[;|\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Tells programs for tables that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value);
  if (!SPECIAL.test(value)) return value;
  const split = SPLITS.test(value) ? value.replaceAll(INNER_FORMULA, "$1'") : value;
  const text = FORMULA.test(split) ? `'${split}` : split;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** One line of a CSV file, as RFC 4180 has it; text that would be a formula is shown as text. */
export const csvLine = (values: readonly (string | number)[]): string => {
  let line = '';
  for (const value of values) line += `${cell(value)},`;
  return `${line.slice(0, -1)}\r\n`;
};
