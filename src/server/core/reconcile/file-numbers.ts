/** How a file writes decimals: `1,234.56` or `1.234,56`. */
export type DecimalSign = 'point' | 'comma';

/** A number as a file states it, exact: `digits` times ten to the power of minus `places`. */
export interface StatedNumber {
  readonly digits: bigint;
  readonly places: number;
}

const POINT = /^(\d{1,3}(?:,\d{3}){1,6}|\d{0,20})(?:\.(\d{0,40}))?(?:e([+-]?\d{1,2}))?$/i;
const COMMA = /^(\d{1,3}(?:\.\d{3}){1,6}|\d{0,20})(?:,(\d{0,40}))?(?:e([+-]?\d{1,2}))?$/i;
/** Signs of currencies, which may stand before or behind, and blanks between groups of digits. */
const AROUND =
  /US(?=\$)|CN(?=[¥￥])|[$¥￥€£'’\s\u00A0\u202F]|^(?:USD|CNY|RMB|EUR|GBP)|(?:USD|CNY|RMB|EUR|GBP|元|美元)$/gi;
/** Accounting programs write it behind the number, or brackets around it. */
const MINUS = /^[-\u2212\uFF0D]|^\((.*)\)$|[-\u2212]$/;
const MOST_LENGTH = 60;

/** The number in a cell; undefined if there is none or it can be read in more than one way. */
export const statedNumber = (cell: string, sign: DecimalSign): StatedNumber | undefined => {
  if (cell.length > MOST_LENGTH) return undefined;
  const bare = cell.replace(AROUND, '');
  const negative = MINUS.exec(bare);
  const inBrackets = negative?.[1];
  const unsigned =
    inBrackets ?? (negative === null ? bare.replace(/^\+/, '') : bare.replace(negative[0], ''));
  const [matched, whole = '', fraction = '', power = '0'] =
    (sign === 'point' ? POINT : COMMA).exec(unsigned.replace(AROUND, '')) ?? [];
  if (matched === undefined || whole + fraction === '') return undefined;
  const digits = BigInt(whole.replaceAll(/[.,]/g, '') + fraction);
  const places = fraction.length - Number(power);
  return { digits: negative === null ? digits : -digits, places };
};

/** In units of ten to the power of minus `places`, rounded half away from 0. */
export const inPlaces = ({ digits, places }: StatedNumber, wanted: number): bigint => {
  if (places <= wanted) return digits * 10n ** BigInt(wanted - places);
  const divisor = 10n ** BigInt(places - wanted);
  const size = digits < 0n ? -digits : digits;
  const rounded = (size * 2n + divisor) / (divisor * 2n);
  return digits < 0n ? -rounded : rounded;
};

const ONLY_COMMA = /\d,\d{1,2}$|\d,\d{4,}$|^0,\d|\.\d{3},|,\d+e[+-]?\d+$/i;
const ONLY_POINT = /\d\.\d{1,2}$|\d\.\d{4,}$|^0\.\d|,\d{3}\.|\.\d+e[+-]?\d+$/i;

/** What the numbers of a file have in common; `point` if they do not tell. */
export const decimalSignOf = (cells: Iterable<string>): DecimalSign => {
  let commas = 0;
  let points = 0;
  for (const cell of cells) {
    const bare = cell.replace(AROUND, '');
    if (ONLY_COMMA.test(bare)) commas += 1;
    if (ONLY_POINT.test(bare)) points += 1;
  }
  return commas > points ? 'comma' : 'point';
};
