import { withoutEnd } from '#contract/without-end.ts';

/**
 * Decimals as whole numbers of 10^-12: ratios are multiplied exactly and rounded once, at the end. Twelve decimals hold
 * every ratio an operator can enter (`contract/options.ts`).
 */
export type Decimal = bigint;

export const PLACES = 12;
/** The decimal 1. */
export const ONE: Decimal = 10n ** BigInt(PLACES);

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

/** Writes a decimal with `places` decimals, without trailing zeros. */
export const decimalText = (value: bigint, places: number = PLACES): string => {
  if (places === 0) return value.toString();
  const digits = value.toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = withoutEnd(digits.slice(digits.length - places), '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
};
