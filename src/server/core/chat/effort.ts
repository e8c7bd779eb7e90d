import type { Reasoning } from './request.ts';

type Effort = NonNullable<Reasoning['effort']>;

/** Thinking tokens for each effort, for upstreams that want a number. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
};

/** Thinking tokens for an effort; the inverse of `effortOfBudget`. */
export const budgetOfEffort = (effort: Effort): number => BUDGETS[effort];

/** The smallest effort that covers a number of tokens, for upstreams that want an effort. */
export const effortOfBudget = (budgetTokens: number): Effort => {
  if (budgetTokens <= 0) return 'none';
  if (budgetTokens <= BUDGETS.minimal) return 'minimal';
  if (budgetTokens <= BUDGETS.low) return 'low';
  return budgetTokens <= BUDGETS.medium ? 'medium' : 'high';
};
