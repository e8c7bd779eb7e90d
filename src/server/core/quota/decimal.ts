/**
 * Decimals as whole numbers of 10^-12: ratios are multiplied exactly and rounded once, at the end. Twelve decimals hold
 * every ratio an operator can enter (`contract/options.ts`).
 */
export type Decimal = bigint;

export const PLACES = 12;
/** The decimal 1. */
export const ONE: Decimal = 10n ** BigInt(PLACES);

/** An exact amount: `amount / scale`. */
export interface Exact {
  readonly amount: bigint;
  readonly scale: bigint;
}

const FORM = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/;

/**
 * Converts a finite number of 0 or more from its printed form; decimals after the twelfth are rounded half up, but never to
 * 0: what has a price is not free.
 */
export const decimal = (value: number): Decimal => {
  const [, whole, fraction = '', exponent = '0'] = FORM.exec(String(value)) ?? [];
  if (whole === undefined) throw new RangeError(`not a decimal: ${String(value)}`);
  const digits = BigInt(whole + fraction);
  const shift = PLACES - fraction.length + Number(exponent);
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const rounded = roundedHalfUp(digits, 10n ** BigInt(-shift));
  return rounded === 0n && digits > 0n ? 1n : rounded;
};

/** `amount / divisor` to the nearest whole number, halves up. For amounts of 0 or more. */
export const roundedHalfUp = (amount: bigint, divisor: bigint): bigint =>
  (amount * 2n + divisor) / (divisor * 2n);

const ZERO = '0'.charCodeAt(0);

/** Writes a decimal with `places` decimals, without trailing zeros. */
export const decimalText = (value: bigint | number, places: number = PLACES): string => {
  const digits = value.toString();
  const point = digits.length - places;
  let end = digits.length;
  while (end > 0 && end > point && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  if (end === 0) return '0';
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits.slice(0, end)}`;
  const whole = digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
};
