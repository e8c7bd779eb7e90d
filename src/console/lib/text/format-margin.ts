import { formatMoney, formatMoneyParts } from './format.ts';

/** Less is a rounding of floating point numbers, and no loss. */
const LEAST_SHOWN_DOLLARS = 1e-9;

/**
 * What was charged, its cost and its margin, as texts that add up: what is charged is cost, margin and what has no known cost.
 * A loss and what was charged add up to the cost.
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
