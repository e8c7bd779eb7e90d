import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import { type CallSize, DEFAULT_OUTPUT_TOKENS, holdFor, worstUsage } from './estimate.ts';
import { type Price, quotaOf } from './price.ts';
import { noUsage, type Usage } from '../chat/usage.ts';
import { priceEntries } from './tool-prices.ts';

/* How much quota a call holds before it is sent, and how long an answer its payer can afford (docs/decisions/0029). */

/** A stream first holds this much of its answer; the hold then grows ahead of it. */
const FIRST_SLICE_TOKENS = 2048;
/** Shorter answers are not worth beginning, unless the caller asked for one. */
const LEAST_ANSWER_TOKENS = 256;
/** Longer than any model's answer: a payer who can afford this needs no limit. */
export const MOST_ANSWER_TOKENS = 131_072;
/** What a model with hidden thoughts may need before its first word, if nobody set a limit. */
const THOUGHTFUL_OUTPUT_TOKENS = 16_384;
/** About six pictures: what an answer with pictures holds if its payer cannot pay the most it may cost. */
const DRAWN_SLICE_TOKENS = 8192;
/** The most is held only if the payer has this many times as much. */
const DRAWN_SHARE = 4;
/** The highest limit sent to such a model if the caller set none: every model with hidden thoughts accepts this. */
const MOST_TOLD_THINKER = 32_000;

/**
 * How a call is held: a stream's hold grows, a whole reply holds all it may cost, and a fixed call cannot be shortened,
 * because it is priced per call or we do not control its length.
 */
export type HoldStyle = 'stream' | 'whole' | 'fixed';

/** What decides how much a call must hold before it is sent. */
export interface Afford {
  readonly price: Price;
  readonly size: CallSize;
  readonly style: HoldStyle;
  /** The upstream may not understand the caller's limit. */
  readonly isLimitForeign: boolean;
  /** The model may think without showing it. */
  readonly thinks: boolean;
  /**
   * The model certainly hides its thoughts and reports their tokens only at the end, too late for the hold to grow. So
   * the hold covers the most they may take, or the upstream gets a limit that it covers.
   */
  readonly hidesThoughts: boolean;
  /** The upstream decides how many pictures there are between the words; nobody named a limit. */
  readonly drawsFreely?: boolean;
  /** The least output assumed for an answer without a limit, because a channel's override may ask for it. */
  readonly assumedTokens?: number;
}

/** The amounts to request from the ledger. */
export interface HoldPlan {
  readonly quotaUnits: number;
  /** The answer length that this amount pays for. */
  readonly answerTokens: number;
  readonly leastUnits: number | undefined;
  /** The most the call could cost. A payer who has this much needs no limit. */
  readonly mostUnits: number | undefined;
  /** Whether to hold all of `mostUnits`, if the payer has them, for an answer of `mostTokens`. */
  readonly takesMost: boolean;
  /** If given, only if the payer has this much. */
  readonly mostFromUnits?: number;
  readonly mostTokens: number;
}

/**
 * Plans what the ledger should hold before a call is sent. Throws `insufficient_quota` if no balance could hold the
 * least.
 */
export const holdPlan = (asked: Afford): HoldPlan => {
  const { price, size, style } = asked;
  const most = style === 'stream' ? size : withMost(size);
  if (style !== 'fixed') return textPlan(asked, most);
  const leastUnits = holdFor(price, asSent(size));
  if (asked.drawsFreely === true) return drawnPlan(price, most, leastUnits);
  return { ...NO_ANSWER, leastUnits, quotaUnits: holdFor(price, most) };
};

/** The size without the usual minimum of a prompt, for which nobody is refused who can pay the call. */
const asSent = (size: CallSize): CallSize => ({ ...size, leastInputTokens: 0 });

/** The size of what cannot be counted while it is produced, for which no hold can grow; the same object if nothing is. */
const withMost = (size: CallSize): CallSize => {
  const { maxOutputTokens, toolCalls, outputTokensMost = maxOutputTokens, toolCallsMost = toolCalls } = size;
  return outputTokensMost === maxOutputTokens && toolCallsMost === toolCalls
    ? size
    : { ...size, maxOutputTokens: outputTokensMost, toolCalls: toolCallsMost };
};

/** The plan for an answer that is priced by its length, with these tool calls at most. */
const textPlan = (asked: Afford, most: CallSize): HoldPlan => {
  const { price, size, style, hidesThoughts, isLimitForeign } = asked;
  const named = size.maxOutputTokens;
  const leastUnits = holdFor(price, asSent(size), leastTokens(named));
  const unitsFor = (tokens: number): number => unitsOfAnswer(price, most, tokens) ?? MAX_QUOTA_UNITS;
  const slice = hidesThoughts ? THOUGHTFUL_OUTPUT_TOKENS : FIRST_SLICE_TOKENS;
  const first = style === 'stream' ? Math.min(named ?? Infinity, slice) : (named ?? assumedAnswer(asked));
  const isWholeAndNamed = style === 'whole' && named !== undefined && !isLimitForeign;
  const mostTokens = isLimitForeign
    ? Math.max(named ?? 0, MOST_ANSWER_TOKENS)
    : (named ?? MOST_ANSWER_TOKENS);
  return {
    quotaUnits: Math.max(leastUnits, unitsFor(first)),
    answerTokens: first,
    leastUnits,
    mostUnits: isWholeAndNamed ? undefined : unitsFor(mostTokens),
    takesMost: hidesThoughts,
    mostTokens,
  };
};

/**
 * The plan for an answer with an unknown number of pictures: the most, or a slice if other calls of the payer could
 * not run then.
 */
const drawnPlan = (price: Price, most: CallSize, leastUnits: number): HoldPlan => {
  const mostUnits = holdFor(price, most);
  return {
    quotaUnits: holdFor(price, most, DRAWN_SLICE_TOKENS),
    answerTokens: DRAWN_SLICE_TOKENS,
    leastUnits,
    mostUnits,
    takesMost: true,
    mostFromUnits: mostUnits * DRAWN_SHARE,
    mostTokens: most.maxOutputTokens ?? DRAWN_SLICE_TOKENS,
  };
};

/** Holds all of it if the payer has plenty, else the usual amount, so that other calls of the payer can run. */
export const plentyOr = (all: HoldPlan, usual: HoldPlan, least: HoldPlan): HoldPlan => ({
  ...all,
  quotaUnits: usual.quotaUnits,
  leastUnits: least.leastUnits,
  mostUnits: all.quotaUnits,
  takesMost: true,
  mostFromUnits: all.quotaUnits * DRAWN_SHARE,
});

/** Holds all of it, or as much as is available, but not less than the sure minimum. */
export const allOr = (all: HoldPlan, sure: HoldPlan): HoldPlan => ({
  ...all,
  leastUnits: sure.leastUnits ?? sure.quotaUnits,
});

/** The plan for a fixed hold, without its amount. */
export const NO_ANSWER: Omit<HoldPlan, 'quotaUnits'> = {
  answerTokens: 0,
  leastUnits: undefined,
  mostUnits: undefined,
  takesMost: false,
  mostTokens: 0,
};

/** What to ask the ledger for, and the least to take, in quota units. */
export interface Amounts {
  readonly quotaUnits: number;
  readonly leastUnits: number;
}

/** By what factor the answer of a shared hold may exceed the longest recent one, without and with thoughts. */
const ROOM = 1.25;
const ROOM_TO_THINK = 2;
const ROOM_TOKENS = 8;

/**
 * The amounts for a call whose payer has little money and many calls: its share, but at least what answers like its own
 * usually cost. It does not begin with less than about the longest of them costs.
 * @param longestTokens about the longest of recent answers by the same model to the same payer
 */
export const sharedAmounts = (asked: Afford, shareUnits: number, longestTokens: number): Amounts => {
  const { price, style, thinks } = asked;
  const size = asSent(asked.size);
  const named = size.maxOutputTokens ?? assumedAnswer(asked);
  const most = style === 'stream' && !asked.hidesThoughts ? Math.min(named, LEAST_ANSWER_TOKENS) : named;
  const unitsFor = (tokens: number): number => unitsOfAnswer(price, size, tokens) ?? MAX_QUOTA_UNITS;
  const enough = Math.ceil(longestTokens * (thinks ? ROOM_TO_THINK : ROOM)) + ROOM_TOKENS;
  const fair = Math.min(Math.max(enough, affordedTokens(price, size, shareUnits)), most);
  return {
    quotaUnits: unitsFor(fair),
    leastUnits: unitsFor(Math.min(longestTokens, leastTokens(named), fair)),
  };
};

/** The length assumed for an answer without a limit. */
const assumedAnswer = ({ assumedTokens = 0, thinks }: Pick<Afford, 'assumedTokens' | 'thinks'>): number =>
  Math.max(assumedTokens, thinks ? THOUGHTFUL_OUTPUT_TOKENS : DEFAULT_OUTPUT_TOKENS);

const leastTokens = (named: number | undefined): number => Math.min(named ?? Infinity, LEAST_ANSWER_TOKENS);

/** What is held for a payer with little money, and what the payer could pay in total. */
interface Little {
  readonly quotaUnits: number;
  readonly payableUnits: number;
}

/** The limit of output tokens to send to the upstream; undefined if none is needed beyond the caller's own. */
export const outputLimitOf = (asked: Afford, { quotaUnits, payableUnits }: Little): number | undefined => {
  const { price, style, thinks, hidesThoughts, isLimitForeign } = asked;
  const size = asSent(asked.size);
  if (asked.drawsFreely === true)
    return Math.min(affordedTokens(price, size, quotaUnits), DRAWN_SLICE_TOKENS);
  if (style === 'fixed') return undefined;
  const named = size.maxOutputTokens;
  // A stream is metered while it runs and may use everything the payer has. A whole reply, or hidden thoughts, can only
  // be counted at the end.
  const isWatched = style === 'stream' && !hidesThoughts;
  const afforded = affordedTokens(price, size, isWatched ? payableUnits : quotaUnits);
  if (named !== undefined && (afforded < named || isLimitForeign)) return Math.min(afforded, named);
  if (named !== undefined) return undefined;
  // The part held for tool calls must not extend the answer.
  if (style === 'whole') return Math.min(afforded, assumedAnswer(asked));
  // Models refuse a limit above their own, which we do not know; all of them accept a small one.
  if (thinks) return Math.min(afforded, MOST_TOLD_THINKER);
  return afforded <= DEFAULT_OUTPUT_TOKENS ? afforded : undefined;
};

/** The longest answer, in tokens, that these units pay for, prompt included. */
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
  quotaOf(price, worstUsage(price, size, tokens));

/** The price of these output tokens alone. */
export const unitsOfOutput = (price: Price, tokens: number): number =>
  quotaOf(price, { ...noUsage, outputTokens: tokens }) ?? MAX_QUOTA_UNITS;

/**
 * The same usage, with output reduced as little as needed to cost no more than `units`. Where even no output would cost
 * more, calls of the upstream's own tools are left out first. A prompt is never reduced, and may cost more by itself.
 */
export const usageWithin = (cost: (usage: Usage) => number, usage: Usage, units: number): Usage => {
  const fitsIn = (one: Usage): boolean => cost(one) <= units;
  if (fitsIn(usage)) return usage;
  const shorter = (of: Usage, outputTokens: number): Usage => ({
    ...of,
    outputTokens,
    reasoningTokens: Math.min(of.reasoningTokens, outputTokens),
    estimated: true,
  });
  const paid = withPaidCalls(usage, (one) => fitsIn(shorter(one, 0)));
  if (fitsIn(paid)) return { ...paid, estimated: true };
  return shorter(
    paid,
    mostBelow(paid.outputTokens, (tokens) => fitsIn(shorter(paid, tokens))),
  );
};

/** The largest number below `beyond` that fits, by bisection; 0 if none does. */
const mostBelow = (beyond: number, fits: (count: number) => boolean): number => {
  let [most, tooMany] = [0, beyond];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (fits(middle)) most = middle;
    else tooMany = middle;
  }
  return most;
};

/** Leaves out as few calls of tools as needed, those of the tool that was called most first. */
const withPaidCalls = (usage: Usage, fitsIn: (usage: Usage) => boolean): Usage => {
  const { toolCalls, ...withoutCalls } = usage;
  const byCalls = priceEntries(toolCalls).toSorted(([, one], [, other]) => other - one);
  const withCalls = (entries: typeof byCalls): Usage =>
    entries.length === 0 ? withoutCalls : { ...withoutCalls, toolCalls: Object.fromEntries(entries) };
  let left = byCalls;
  for (const [tool, calls] of byCalls) {
    if (fitsIn(withCalls(left))) break;
    const others = left.slice(1);
    const count = mostBelow(calls, (some) => fitsIn(withCalls([[tool, some], ...others])));
    left = count === 0 ? others : [[tool, count], ...others];
    if (count > 0) break;
  }
  return withCalls(left);
};
