/** A cell that a program for tables would take for a formula begins with one of these. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Where the same begins after a semicolon or a tab, at which programs of some countries split a line, in quotes or not. */
const INNER_FORMULA = /([;\t] *)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const NEEDS_QUOTES = /[",\r\n]/;

/** Tells programs for tables that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value);
  const split = value.replaceAll(INNER_FORMULA, "$1'");
  const text = FORMULA.test(split) ? `'${split}` : split;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** One line of a CSV file, as RFC 4180 has it; text that would be a formula is shown as text. */
export const csvLine = (values: readonly (string | number)[]): string => `${values.map(cell).join(',')}\r\n`;
