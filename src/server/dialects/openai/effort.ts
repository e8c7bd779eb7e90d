import type { Reasoning } from '#core/chat/request.ts';

type Effort = NonNullable<Reasoning['effort']>;

const EFFORTS: ReadonlySet<string> = new Set<Effort>([
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
]);

/** Whether it is an effort of OpenAI's formats. */
export const isEffort = (value: unknown): value is Effort => typeof value === 'string' && EFFORTS.has(value);

/** OpenAI's formats only have words for effort; a token budget becomes the nearest one. */
export const writeEffort = (reasoning: Reasoning | undefined): Effort | undefined => {
  if (reasoning?.effort !== undefined) return reasoning.effort;
  const budget = reasoning?.budgetTokens;
  if (budget === undefined || reasoning?.enabled === false) return undefined;
  if (budget <= 2048) return 'low';
  return budget <= 8192 ? 'medium' : 'high';
};
