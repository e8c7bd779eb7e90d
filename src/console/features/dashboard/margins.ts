import { NANO_PER_USD } from '#contract/limits.ts';
import type { readMargin } from '#contract/api/logs/data.ts';
import type { Data } from '#contract/endpoint.ts';
import { barOf } from './usage-sums.ts';

export type MarginShare = Data<typeof readMargin>[number];

/** In dollars. The margin is that of the calls whose cost is known. */
export interface Margin {
  readonly calls: number;
  readonly revenue: number;
  readonly cost: number;
  readonly margin: number;
  readonly unknownCalls: number;
  readonly unknownRevenue: number;
}

export const marginOf = (
  { count, quota, cost_nano_usd, uncosted, uncosted_quota }: MarginShare,
  unitsPerDollar: number,
): Margin => {
  const cost = cost_nano_usd / NANO_PER_USD;
  return {
    calls: count,
    revenue: quota / unitsPerDollar,
    cost,
    margin: (quota - uncosted_quota) / unitsPerDollar - cost,
    unknownCalls: uncosted,
    unknownRevenue: uncosted_quota / unitsPerDollar,
  };
};

const NOTHING: Margin = { calls: 0, revenue: 0, cost: 0, margin: 0, unknownCalls: 0, unknownRevenue: 0 };

export const addedUp = (margins: readonly Margin[]): Margin =>
  margins.reduce(
    (sum, one) => ({
      calls: sum.calls + one.calls,
      revenue: sum.revenue + one.revenue,
      cost: sum.cost + one.cost,
      margin: sum.margin + one.margin,
      unknownCalls: sum.unknownCalls + one.unknownCalls,
      unknownRevenue: sum.unknownRevenue + one.unknownRevenue,
    }),
    NOTHING,
  );

type Part = 'cost' | 'margin' | 'loss';

/**
 * The parts of each bar: cost that was earned, the margin above it, and cost that was not earned. A bar without a loss is as
 * high as the charges.
 */
export const seriesOverTime = (
  shares: readonly MarginShare[],
  length: 'hour' | 'day',
  beginnings: readonly number[],
  unitsPerDollar: number,
): { readonly part: Part; readonly values: number[] }[] => {
  const byBar = Map.groupBy(shares, ({ id }) => barOf(beginnings, id, length));
  const margins = beginnings.map((_, at) =>
    addedUp((byBar.get(at) ?? []).map((share) => marginOf(share, unitsPerDollar))),
  );
  return [
    { part: 'cost', values: margins.map(({ cost, margin }) => cost + Math.min(0, margin)) },
    { part: 'margin', values: margins.map(({ margin }) => Math.max(0, margin)) },
    { part: 'loss', values: margins.map(({ margin }) => Math.max(0, -margin)) },
  ];
};
