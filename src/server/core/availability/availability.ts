import { ANSWER_TOO_LONG, type AppError, type ErrorCode } from '../error.ts';
import { countsAgainstChannel } from '../channel/health.ts';

/** How a call ended, as far as it says whether its model could be used. */
export type CallOutcome = 'answered' | 'failed';

/** Seconds. Sums of each hour and of each day are kept: days outlive the hours. */
export const HOUR_S = 3600;
export const DAY_S = 86_400;
/** The length of time a row stands for, in seconds. */
export type Stretch = typeof HOUR_S | typeof DAY_S;

/** Calls of a group for a model that ended alike in one hour or day; of first tokens, those with about the same time. */
export interface AvailabilityRow {
  readonly stretch: Stretch;
  /** Unix seconds at which it begins. */
  readonly start: number;
  readonly group: string;
  readonly model: string;
  readonly measure: CallOutcome | 'first_token';
  /** Of the time to the first token; 0 for the others. */
  readonly bucket: number;
  readonly calls: number;
  /** Who called, as bits: two callers may share one, so their number is never told too high. */
  readonly callers: number;
}

/** Sums of some groups together. There is one for each set of callers, so that sets can be joined. */
export type AvailabilitySum = Omit<AvailabilityRow, 'group' | 'stretch'>;

/** Which sums are wanted: from a time on, of these groups and models alone. */
export interface AvailabilityAsk {
  readonly stretch: Stretch;
  readonly fromS: number;
  readonly groups: readonly string[];
  readonly models: readonly string[];
}

/** Keeps the sums of calls by hour and by day. */
export interface AvailabilityStore {
  /** Adds to the sums of their hours and days. */
  add(rows: readonly AvailabilityRow[]): Promise<void>;
  /** Calls by hour or day. */
  calls(ask: AvailabilityAsk): Promise<AvailabilitySum[]>;
  /** Times to the first token of the whole span; their `start` is 0. */
  firstTokens(ask: AvailabilityAsk): Promise<AvailabilitySum[]>;
  /** Forgets what began before. */
  deleteBefore(stretch: Stretch, startS: number): Promise<void>;
}

/** As many as fit into a positive whole number of 32 bits. */
const CALLER_BITS = 30;

/** The bit that stands for a caller in `callers`. Others may have the same. */
export const callerBit = (userId: number): number => 1 << (userId % CALLER_BITS);

/** How many callers these bits show: there were at least so many. */
export const callersIn = (callers: number): number => {
  let count = 0;
  for (let left = callers; left > 0; left &= left - 1) count += 1;
  return count;
};

/** Failures that are the site's, whatever the caller did. */
const OF_SITE: ReadonlySet<ErrorCode> = new Set([
  'upstream_failed',
  'upstream_timeout',
  'no_channel',
  'unavailable',
  'internal',
  'rate_limited',
]);
const PAYMENT_REQUIRED = 402;

/**
 * Whether a call could be used; undefined where it says nothing about that: the caller made a mistake, has no money or left, or
 * the model failed on this one prompt, or it asked for too long an answer. Limits of callers are checked before and never come here.
 */
export const outcomeOf = (failure: AppError | undefined): CallOutcome | undefined => {
  if (failure === undefined) return 'answered';
  if (failure.reason === 'malformed_answer' || failure.reason === ANSWER_TOO_LONG) return undefined;
  const status = failure.upstream?.status ?? 0;
  const isOfSite =
    status === 0 ? OF_SITE.has(failure.code) : status === PAYMENT_REQUIRED || countsAgainstChannel(failure);
  return isOfSite ? 'failed' : undefined;
};
