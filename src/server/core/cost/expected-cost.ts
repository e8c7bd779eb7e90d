import type { UnitCosts } from './unit-costs.ts';

/** A call that is about to be made, as far as it is known. */
export interface ExpectedCall {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/** What is remembered of a session. */
export interface SessionPast {
  /** How many of its calls were answered. */
  readonly answers: number;
  /** How long the prompt was that was answered last. */
  readonly promptTokens: number;
  readonly idleMs: number;
}

/** A session of which little is known is expected to have so many more calls, and none more than the most. */
const LEAST_REST = 4;
const MOST_REST = 100;
/** Providers keep a prompt for so long after its last use. */
const WARM_MS = 300_000;

/**
 * How many calls a session is expected to have from now on, this one included: as many as it had. That is so where the lengths
 * of sessions are spread over all magnitudes, as those of agents are.
 */
export const expectedRest = (past: SessionPast | undefined): number =>
  Math.min(MOST_REST, Math.max(LEAST_REST, past?.answers ?? 0));

/** How much of the prompt is expected to be read from the cache at the channel that answered last. */
export const warmTokens = ({ promptTokens }: ExpectedCall, past: SessionPast): number =>
  past.idleMs > WARM_MS ? 0 : Math.min(promptTokens, past.promptTokens);

/** What one call costs by itself. */
export const expectedCost = (costs: UnitCosts, { promptTokens, outputTokens }: ExpectedCall): number =>
  costs.perCall + promptTokens * costs.input + outputTokens * costs.output;

/**
 * What the next `rest` calls of a session cost at a channel that has `warm` tokens of the prompt: those are read, the others
 * written once, and all of them read from then on.
 */
export const expectedSessionCost = (
  costs: UnitCosts,
  { promptTokens, outputTokens }: ExpectedCall,
  rest: number,
  warm: number,
): number => {
  const first = warm * costs.cacheRead + (promptTokens - warm) * costs.cacheWrite;
  const later = (rest - 1) * promptTokens * costs.cacheRead;
  return first + later + rest * (costs.perCall + outputTokens * costs.output);
};
