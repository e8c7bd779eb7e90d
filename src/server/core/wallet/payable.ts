import type { OptionValues } from '#contract/options.ts';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { type GroupNames, presentGroup } from '../token/present-group.ts';
import { decimal, ONE, roundedHalfUp } from '../quota/decimal.ts';

type PriceOptions = GroupNames &
  Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit' | 'Price' | 'TopupGroupRatio' | 'MinTopUp'>;

/** An amount as quota: it is in dollars if the site shows dollars, else in units. */
export const amountUnits = (options: PriceOptions, amount: number): number =>
  options.DisplayInCurrencyEnabled ? amount * options.QuotaPerUnit : amount;

/** The minimum amount to pay, in the unit the site displays. */
export const leastAmount = ({ DisplayInCurrencyEnabled, QuotaPerUnit, MinTopUp }: PriceOptions): number =>
  DisplayInCurrencyEnabled ? MinTopUp : MinTopUp * QuotaPerUnit;

/** Whether the ledger can hold that many units. */
export const isPossible = (units: number): boolean => Number.isSafeInteger(units) && units <= MAX_QUOTA_UNITS;

/**
 * The price of quota in hundredths: dollars × price × group ratio, rounded once, half up. A group without a ratio, or
 * with 0, pays the base price, as in the rest of the family.
 */
export const payableCents = (options: PriceOptions, ownGroup: string, units: number): bigint => {
  const { TopupGroupRatio: ratios } = options;
  const group = presentGroup(options, ownGroup);
  const ratio = (Object.hasOwn(ratios, group) && ratios[group]) || 1;
  const scaled = BigInt(units) * decimal(options.Price) * decimal(ratio) * 100n;
  return roundedHalfUp(scaled, BigInt(options.QuotaPerUnit) * ONE * ONE);
};

/** `730` → `7.30` */
export const centsText = (cents: number | bigint): string => {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** `7.3` → 730; undefined if it is not a number of whole hundredths. */
export const readCents = (text: string): number | undefined => {
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(text.trim()) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
};
