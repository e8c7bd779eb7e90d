import type { FirstTokenRule } from '#contract/channel/first-token.ts';

const FACTOR = 2;
const LEAST_MS = 1000;
const MOST_MS = 60_000;

/**
 * How long a stream of a model may take until its first token before another channel is asked, in milliseconds;
 * undefined if not known yet.
 * @param p95Ms the time within which 95 of 100 streams of the model had their first token; undefined while there are
 * too few
 */
export const firstTokenDeadline = (
  {
    deadline_ms: deadline,
    factor = FACTOR,
    most_ms: most,
    least_ms: least = Math.min(LEAST_MS, most ?? LEAST_MS),
  }: FirstTokenRule,
  p95Ms: number | undefined,
): number | undefined => {
  if (deadline !== 'auto') return deadline;
  if (p95Ms === undefined) return undefined;
  return Math.min(Math.max(Math.round(p95Ms * factor), least), Math.max(least, most ?? MOST_MS));
};
