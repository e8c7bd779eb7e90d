import type { Span } from './usage-sums.ts';

const DAY_S = 86_400;

/**
 * How many days a balance lasts if as much is used as in the span; undefined where nothing was used, or nothing is left. Only
 * the part of the span that is over counts.
 */
export const daysLeft = (
  balanceUnits: number,
  usedUnits: number,
  { from, to }: Span,
  nowS: number,
): number | undefined => {
  const seconds = Math.min(to + 1, nowS) - from;
  if (usedUnits <= 0 || balanceUnits <= 0 || seconds <= 0) return undefined;
  return balanceUnits / (usedUnits / (seconds / DAY_S));
};

/** Days, hours below two days, and years are not counted: nobody plans by them. */
export const roundedPace = (
  days: number,
): { readonly unit: 'hours' | 'days' | 'long'; readonly count: number } => {
  if (days > 365) return { unit: 'long', count: 0 };
  if (days >= 2) return { unit: 'days', count: Math.round(days) };
  return { unit: 'hours', count: Math.max(1, Math.round(days * 24)) };
};
