import { MONEY_DECIMALS_MAX, NANO_PER_USD } from '#contract/limits.ts';
import { numberText } from '#contract/numbers/number-text.ts';

/** An amount at the prices of now and of the draft, and by how much the draft is more. */
export interface Compared {
  readonly now: string;
  readonly draft: string;
  readonly more: string;
}

type Pair = readonly [now: number, draft: number];

/** Smaller differences are rounding errors of floating point numbers. */
const LEAST_DOLLARS = 1 / NANO_PER_USD;

const decimalsFor = (pairs: readonly Pair[]): number => {
  const amounts = pairs.flatMap(([now, draft]) => [now, draft, draft - now]).map(Math.abs);
  const smallest = Math.min(...amounts.filter((one) => one > LEAST_DOLLARS), Infinity);
  if (smallest >= 1) return 2;
  return smallest >= 0.001 ? 4 : MONEY_DECIMALS_MAX;
};

const inSteps = ([now, draft]: Pair, decimals: number): Pair => [
  Math.round(now * 10 ** decimals),
  Math.round(draft * 10 ** decimals),
];

const moneyOf =
  (decimals: number) =>
  (steps: number): string =>
    `${steps < 0 ? '−' : ''}$${numberText(Math.abs(steps) / 10 ** decimals, decimals)}`;

const comparedSteps = ([now, draft]: Pair, money: (steps: number) => string): Compared => {
  const more = draft - now;
  return { now: money(now), draft: money(draft), more: more > 0 ? `+${money(more)}` : money(more) };
};

/** Dollars as texts that add up: the difference is that of the amounts as they are shown. */
export const comparedMoney = (pair: Pair): Compared => {
  const decimals = decimalsFor([pair]);
  return comparedSteps(inSteps(pair, decimals), moneyOf(decimals));
};

/**
 * Revenue, cost and margin as texts that add up in both directions: with the same decimals, and every margin that of the
 * amounts as they are shown. Only calls whose cost is known have a margin, so `costed` is the revenue of these.
 */
export const comparedMargin = (
  revenue: Pair,
  costed: Pair,
  cost: number,
): Readonly<Record<'revenue' | 'cost' | 'margin', Compared>> => {
  const decimals = decimalsFor([revenue, costed, [cost, cost]]);
  const money = moneyOf(decimals);
  const [costedNow, costedDraft] = inSteps(costed, decimals);
  const [paid] = inSteps([cost, cost], decimals);
  return {
    revenue: comparedSteps(inSteps(revenue, decimals), money),
    cost: comparedSteps([paid, paid], money),
    margin: comparedSteps([costedNow - paid, costedDraft - paid], money),
  };
};
