import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { type CallSize, DEFAULT_OUTPUT_TOKENS, holdFor, worstUsage } from './estimate.ts';
import { type Price, quotaOf } from './price.ts';
import { noUsage, type Usage } from '../chat/usage.ts';

/*
 * What a call holds before it is sent, and how long an answer its payer can afford (docs/decisions/0029).
 */

/** A stream holds this much of its answer at first; the hold grows ahead of what comes. */
export const FIRST_SLICE_TOKENS = 2048;
/** An answer of fewer tokens is not worth beginning, unless its caller asked for fewer. */
export const LEAST_ANSWER_TOKENS = 256;
/** No model answers with more: who can pay that needs no limit. */
export const MOST_ANSWER_TOKENS = 131_072;
/** What a model that thinks out of sight may need before its first word, where nobody set a limit. */
const THOUGHTFUL_OUTPUT_TOKENS = 16_384;
/** The most a model is told where its caller set no limit: every model that thinks out of sight takes so much. */
const MOST_TOLD_THINKER = 32_000;

/**
 * How a call is held: a stream grows its hold, a whole reply holds all it may cost, and a fixed one cannot be made
 * shorter, because it is paid by the call, or its length is not up to us.
 */
export type HoldStyle = 'stream' | 'whole' | 'fixed';

/** What a payer is asked for before a call is sent. */
export interface Afford {
  readonly price: Price;
  readonly size: CallSize;
  readonly style: HoldStyle;
  /** An upstream may not know the caller's limit for one. */
  readonly isLimitForeign: boolean;
  /** The model may think where nobody sees it. */
  readonly thinks: boolean;
  /**
   * Surely so, and what the thoughts take is told when the answer is over: a hold would grow too late. It is all that
   * they may take, or they are told to take no more than it.
   */
  readonly hidesThoughts: boolean;
  /** What an answer without a limit is assumed to take at least: an override of a channel may ask for it. */
  readonly assumedTokens?: number;
}

/** The amounts to ask of the ledger. */
export interface HoldPlan {
  readonly quotaUnits: number;
  /** How long an answer that pays for. */
  readonly answerTokens: number;
  readonly leastUnits: number | undefined;
  /** All it could ever cost. Who has that is told no limit. */
  readonly mostUnits: number | undefined;
  /** Whether `mostUnits` are held, where there are so many, for an answer of `mostTokens`. */
  readonly takesMost: boolean;
  readonly mostTokens: number;
}

/** What is told to the ledger before a call is sent. Throws `insufficient_quota` if no balance could hold the least. */
export const holdPlan = (asked: Afford): HoldPlan => {
  const { price, size, style, thinks, hidesThoughts, isLimitForeign, assumedTokens = 0 } = asked;
  if (style === 'fixed') {
    const quotaUnits = holdFor(price, size);
    return { ...NO_ANSWER, quotaUnits };
  }
  const named = size.maxOutputTokens;
  const leastUnits = holdFor(price, { ...size, maxOutputTokens: leastTokens(named) });
  const unitsFor = (tokens: number): number => unitsOfAnswer(price, size, tokens) ?? MAX_QUOTA_UNITS;
  const assumed = Math.max(assumedTokens, thinks ? THOUGHTFUL_OUTPUT_TOKENS : DEFAULT_OUTPUT_TOKENS);
  const slice = hidesThoughts ? THOUGHTFUL_OUTPUT_TOKENS : FIRST_SLICE_TOKENS;
  const first = style === 'stream' ? Math.min(named ?? Infinity, slice) : (named ?? assumed);
  const isWholeAndNamed = style === 'whole' && named !== undefined && !isLimitForeign;
  const most = isLimitForeign ? Math.max(named ?? 0, MOST_ANSWER_TOKENS) : (named ?? MOST_ANSWER_TOKENS);
  return {
    quotaUnits: Math.max(leastUnits, unitsFor(first)),
    answerTokens: first,
    leastUnits,
    mostUnits: isWholeAndNamed ? undefined : unitsFor(most),
    takesMost: hidesThoughts,
    mostTokens: most,
  };
};

/** The plan of what is held as it is, beside its amount. */
export const NO_ANSWER: Omit<HoldPlan, 'quotaUnits'> = {
  answerTokens: 0,
  leastUnits: undefined,
  mostUnits: undefined,
  takesMost: false,
  mostTokens: 0,
};

const leastTokens = (named: number | undefined): number => Math.min(named ?? Infinity, LEAST_ANSWER_TOKENS);

/** For payers with little money: what is held, and what they could pay in all. */
interface Little {
  readonly quotaUnits: number;
  readonly payableUnits: number;
}

/** The limit of output tokens to tell the upstream; undefined if it needs none beyond the caller's own. */
export const outputLimitOf = (
  { price, size, style, thinks, hidesThoughts, isLimitForeign }: Afford,
  { quotaUnits, payableUnits }: Little,
): number | undefined => {
  if (style === 'fixed') return undefined;
  const named = size.maxOutputTokens;
  // What comes of a stream is watched, so that it may use all there is; a whole reply, and a thought, is only seen when
  // it is over.
  const isWatched = style === 'stream' && !hidesThoughts;
  const afforded = affordedTokens(price, size, isWatched ? payableUnits : quotaUnits);
  if (named !== undefined && (afforded < named || isLimitForeign)) return Math.min(afforded, named);
  if (named !== undefined) return undefined;
  if (style === 'whole') return afforded;
  // Models refuse a limit above their own, which nobody knows: a small one all take.
  if (thinks) return Math.min(afforded, MOST_TOLD_THINKER);
  return afforded <= DEFAULT_OUTPUT_TOKENS ? afforded : undefined;
};

/** The longest answer that these units pay for, prompt included. */
export const affordedTokens = (price: Price, size: CallSize, units: number): number => {
  let [fits, beyond] = [0, MOST_ANSWER_TOKENS * 128];
  if ((unitsOfAnswer(price, size, beyond) ?? Infinity) <= units) return beyond;
  while (beyond - fits > 1) {
    const middle = Math.floor((fits + beyond) / 2);
    if ((unitsOfAnswer(price, size, middle) ?? Infinity) <= units) fits = middle;
    else beyond = middle;
  }
  return fits;
};

const unitsOfAnswer = (price: Price, size: CallSize, tokens: number): number | undefined =>
  quotaOf(price, worstUsage(price, { ...size, maxOutputTokens: tokens }));

/** What these tokens of output cost by themselves. */
export const unitsOfOutput = (price: Price, tokens: number): number =>
  quotaOf(price, { ...noUsage, outputTokens: tokens }) ?? MAX_QUOTA_UNITS;

/** The same usage with as little less output as is needed to cost no more than this. */
export const usageWithin = (cost: (usage: Usage) => number, usage: Usage, units: number): Usage => {
  const shorter = (outputTokens: number): Usage => ({
    ...usage,
    outputTokens,
    reasoningTokens: Math.min(usage.reasoningTokens, outputTokens),
    estimated: true,
  });
  const fitsIn = (one: Usage): boolean => cost(one) <= units;
  if (fitsIn(usage)) return usage;
  let [fits, beyond] = [0, usage.outputTokens];
  while (beyond - fits > 1) {
    const middle = Math.floor((fits + beyond) / 2);
    if (fitsIn(shorter(middle))) fits = middle;
    else beyond = middle;
  }
  return shorter(fits);
};
