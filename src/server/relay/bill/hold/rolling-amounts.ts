import type { Usage } from '#core/chat/usage.ts';
import { unitsOfOutput } from '#core/quota/afford.ts';
import { type CallSize, worstUsage } from '#core/quota/estimate.ts';
import type { Price } from '#core/quota/price.ts';

/**
 * A hold grows by `STEP_TOKENS`, and the growth is requested `AHEAD_TOKENS` before the hold is used up; both for each
 * answer.
 */
const STEP_TOKENS = 4096;
export const AHEAD_TOKENS = 512;
/** Where other calls wait for money, by this much, and only once it is needed. */
const CROWDED_STEP_TOKENS = 64;
const DEAREST = ['outputTokens', 'audioOutputTokens', 'imageOutputTokens'] as const;
/** The buckets of a prompt. */
export const OF_PROMPT = [
  'inputTokens',
  'cacheReadTokens',
  'audioCacheReadTokens',
  'imageCacheReadTokens',
  'cacheWrite5mTokens',
  'cacheWrite1hTokens',
  'imageInputTokens',
  'audioInputTokens',
] as const;

/** What a hold grows by and when, in quota units. */
export interface Amounts {
  readonly stepUnits: number;
  readonly crowdedStepUnits: number;
  readonly aheadUnits: number;
  /** The price of the most expensive kind of output token. */
  readonly unitsPerToken: number;
}

/** The amounts at this price. */
export const amountsOf = (price: Price, { choices }: CallSize): Amounts => ({
  stepUnits: Math.max(1, unitsOfOutput(price, STEP_TOKENS * choices)),
  crowdedStepUnits: Math.max(1, unitsOfOutput(price, CROWDED_STEP_TOKENS * choices)),
  aheadUnits: unitsOfOutput(price, AHEAD_TOKENS * choices),
  unitsPerToken:
    Math.max(...DEAREST.map((bucket) => Number(price.perToken?.[bucket] ?? 0n))) / Number(price.scale),
});

/** Whether sound is the dearest kind of output. */
export const isSoundDearest = ({ perToken }: Price): boolean =>
  perToken !== undefined &&
  perToken.audioOutputTokens > perToken.outputTokens &&
  perToken.audioOutputTokens > perToken.imageOutputTokens;

/** The prompt as estimated, in the bucket it was held for. */
export const promptOf = (price: Price, size: CallSize): Partial<Usage> => {
  const worst = worstUsage(price, { ...size, leastInputTokens: 0 });
  return Object.fromEntries(OF_PROMPT.map((bucket) => [bucket, worst[bucket]]));
};
