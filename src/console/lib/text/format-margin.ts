import { formatMoney, formatMoneyParts } from './format.ts';

/** Smaller differences are rounding errors of floating point numbers, not losses. */
const LEAST_SHOWN_DOLLARS = 1e-9;

/**
 * Charge, cost and margin as texts that add up: the charge is cost, margin, and the part without a known cost. A loss plus the
 * charge is the cost.
 */
export const formatMargin = (
  cost: number,
  margin: number,
  uncosted: number,
): Readonly<Record<'revenue' | 'cost' | 'margin', string>> => {
  if (margin > -LEAST_SHOWN_DOLLARS) {
    const { parts, sum } = formatMoneyParts([cost, Math.max(0, margin), uncosted]);
    return { revenue: sum, cost: parts[0] ?? '', margin: parts[1] ?? '' };
  }
  const known = cost + margin;
  const { parts, sum } = formatMoneyParts([known, -margin]);
  const revenue = uncosted === 0 ? (parts[0] ?? '') : formatMoney(known + uncosted);
  return { revenue, cost: sum, margin: `−${parts[1] ?? ''}` };
};
