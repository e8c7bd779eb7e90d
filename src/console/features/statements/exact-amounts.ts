import { QUOTA_PER_UNIT, MONEY_DECIMALS_MAX } from '#contract/limits.ts';
import { formatExact, formatQuotaParts } from '../../lib/text/format.ts';
import { siteStatus } from '../../lib/server/site-status.ts';

/** Decimals for dollars: with the default rate, a unit of quota is 0.000002 dollars. */
const DECIMALS = [2, 4, 6] as const;
/** The default until the site's status is loaded. */
const USUAL = { quota_per_unit: QUOTA_PER_UNIT, display_in_currency: true };

/** The site's way to show quota, with the units per dollar of the day the statement was issued. */
export const countedAsIssued = ({
  units_per_dollar: perDollar,
}: {
  readonly units_per_dollar?: number | undefined;
}): typeof USUAL => {
  const { quota_per_unit: now, display_in_currency } = siteStatus() ?? USUAL;
  return { quota_per_unit: perDollar ?? now, display_in_currency };
};

const exactDecimals = (all: readonly number[], perDollar: number): number | undefined =>
  DECIMALS.find((count) => all.every((units) => ((units % perDollar) * 10 ** count) % perDollar === 0));

/**
 * Formats amounts that are shown together with the fewest decimals that are exact for all of them, so that the lines add up
 * to the sum below them, as in the file for print.
 */
export const amountsOf = (
  all: readonly number[],
  { quota_per_unit: perDollar, display_in_currency: isMoney } = siteStatus() ?? USUAL,
): ((units: number) => string) => {
  if (!isMoney) return formatExact;
  const decimals = exactDecimals(all, perDollar) ?? MONEY_DECIMALS_MAX;
  return (units) => {
    const dollars = (Math.abs(units) / perDollar).toLocaleString('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    return `${units < 0 ? '−' : ''}$${dollars}`;
  };
};

/**
 * Formats lines below each other, of which each is added to those before. Where a unit has more decimals than are shown, each is
 * what the rounded sum grows by, as in the file for print, so that the lines still add up.
 * @returns `end` is `sum` if the last line is the sum of the others
 */
export const amountsInOrder = (all: readonly number[], display = siteStatus() ?? USUAL) => {
  const shown = amountsOf(all, display);
  const { quota_per_unit: perDollar, display_in_currency: isMoney } = display;
  const isExact = !isMoney || exactDecimals(all, perDollar) !== undefined;
  const step = perDollar / 10 ** MONEY_DECIMALS_MAX;
  const inSteps = (units: number): number => Math.round(units / step);
  return (units: readonly number[], end: 'sum' | 'line'): readonly string[] => {
    if (isExact) return units.map(shown);
    let sum = 0;
    return units.map((one, at) => {
      const before = end === 'sum' && at === units.length - 1 ? 0 : sum;
      sum = before + one;
      return shown((inSteps(sum) - inSteps(before)) * step);
    });
  };
};

/** The amounts of the listed lines, and of all that the total has beyond them, as texts that add up to the total. */
export const amountsWithRest = (units: readonly number[], totalUnits: number) => {
  const restUnits = totalUnits - units.reduce((sum, one) => sum + one, 0);
  const { parts, sum } = formatQuotaParts([...units, restUnits]);
  return { amounts: parts, restUnits, rest: parts.at(-1) ?? '', total: sum };
};
