import type { UnitCosts } from './unit-costs.ts';

/** What is known about a call before it is made. */
export interface ExpectedCall {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/** What is remembered about a session. */
export interface SessionPast {
  /** How many of its calls were answered. */
  readonly answers: number;
  /** The length of the prompt answered last. */
  readonly promptTokens: number;
  readonly idleMs: number;
}

/** The least number of further calls expected of a session about which little is known. */
const LEAST_REST = 4;
const MOST_REST = 100;
/** How long providers cache a prompt after its last use. */
const WARM_MS = 300_000;

/**
 * How many calls a session is expected to make from now on, this one included: as many as it has made. That holds if
 * session lengths are spread over all magnitudes, as those of agents are.
 */
export const expectedRest = (past: SessionPast | undefined): number =>
  Math.min(MOST_REST, Math.max(LEAST_REST, past?.answers ?? 0));

/** How many tokens of the prompt are expected to be read from the cache at the channel that answered last. */
export const warmTokens = ({ promptTokens }: ExpectedCall, past: SessionPast): number =>
  past.idleMs > WARM_MS ? 0 : Math.min(promptTokens, past.promptTokens);

/** The cost of one call on its own. */
export const expectedCost = (costs: UnitCosts, { promptTokens, outputTokens }: ExpectedCall): number =>
  costs.perCall + promptTokens * costs.input + outputTokens * costs.output;

/**
 * The cost of the next `rest` calls of a session at a channel that has cached `warm` tokens of the prompt: those are
 * read, the others are written once, and all are read from then on.
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
