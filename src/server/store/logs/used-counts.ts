import { sql } from 'kysely';

/** Sums of rows of `usage_hours`, as `usedCounts` selects them. */
export type UsedSums = Readonly<Record<'calls' | 'prompt' | 'completion' | 'quota', number | string>>;

/** Selects the sums of `usage_hours`. */
export const usedCounts = sql`sum(calls) AS calls, sum(prompt_tokens) AS prompt,
  sum(completion_tokens) AS completion, sum(quota) AS quota`;

/** PostgreSQL returns sums as text. */
export const countsOf = ({ calls, prompt, completion, quota }: UsedSums) => ({
  calls: Number(calls),
  promptTokens: Number(prompt),
  completionTokens: Number(completion),
  units: Number(quota),
});
