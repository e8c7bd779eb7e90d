import type { Reasoning } from './request.ts';

type Effort = NonNullable<Reasoning['effort']>;

/** How many tokens of thought a word stands for where an upstream wants a number. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
};

/** Tokens of thought for a word; `effortOfBudget` goes the other way. */
export const budgetOfEffort = (effort: Effort): number => BUDGETS[effort];

/** The word nearest above a number of tokens, where an upstream wants a word. */
export const effortOfBudget = (budgetTokens: number): Effort => {
  if (budgetTokens <= 0) return 'none';
  if (budgetTokens <= BUDGETS.minimal) return 'minimal';
  if (budgetTokens <= BUDGETS.low) return 'low';
  return budgetTokens <= BUDGETS.medium ? 'medium' : 'high';
};
