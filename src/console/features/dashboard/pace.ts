import type { Span } from './usage-sums.ts';
import { DAY_S } from '../../lib/text/spans.ts';

/**
 * How many days the balance lasts at the span's rate of use; undefined without use or balance. Only the elapsed part of
 * the span counts.
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

/** In days, or in hours below two days. Longer than a year is not shown. */
export const roundedPace = (
  days: number,
): { readonly unit: 'hours' | 'days' | 'long'; readonly count: number } => {
  if (days > 365) return { unit: 'long', count: 0 };
  if (days >= 2) return { unit: 'days', count: Math.round(days) };
  return { unit: 'hours', count: Math.max(1, Math.round(days * 24)) };
};
