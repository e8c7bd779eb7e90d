import { ANSWER_TOO_LONG, type AppError, type ErrorCode } from '../error.ts';
import { countsAgainstChannel } from '../channel/health/blame.ts';
import type { DAY_S, HOUR_S } from '../time/spans.ts';

/** How a call ended, if it shows whether its model was usable. */
export type CallOutcome = 'answered' | 'failed';

/** The length of time a row covers, in seconds. There are sums by hour and by day; those by day stay longer. */
export type Stretch = typeof HOUR_S | typeof DAY_S;

/** Calls of a group to a model that ended alike in one hour or day, or whose first tokens took about the same time. */
export interface AvailabilityRow {
  readonly stretch: Stretch;
  /** When the hour or day begins, in Unix seconds. */
  readonly start: number;
  readonly group: string;
  readonly model: string;
  readonly measure: CallOutcome | 'first_token';
  /** The bucket of the time to the first token; 0 in the other rows. */
  readonly bucket: number;
  readonly calls: number;
  /** The callers, as bits. Two callers may share a bit, so their number is never overstated. */
  readonly callers: number;
}

/** Sums of several groups together. There is one for each set of callers, so that sets can be joined. */
export type AvailabilitySum = Omit<AvailabilityRow, 'group' | 'stretch'>;

/** Which sums to read: since when, for which groups and models. */
export interface AvailabilityAsk {
  readonly stretch: Stretch;
  readonly fromS: number;
  readonly groups: readonly string[];
  readonly models: readonly string[];
}

/** Keeps the sums of calls by hour and by day. */
export interface AvailabilityStore {
  /** Adds the rows to the sums of their hours and days. */
  add(rows: readonly AvailabilityRow[]): Promise<void>;
  /** Reads the calls by hour or day. */
  calls(ask: AvailabilityAsk): Promise<AvailabilitySum[]>;
  /** Reads the times to the first token over the whole span; their `start` is 0. */
  firstTokens(ask: AvailabilityAsk): Promise<AvailabilitySum[]>;
  /** Deletes the sums that began before this time. */
  deleteBefore(stretch: Stretch, startS: number): Promise<void>;
}

/** The number of bits, few enough that `callers` stays a positive 32-bit integer. */
const CALLER_BITS = 30;

/** The bit that stands for a caller in `callers`. Several callers may share it. */
export const callerBit = (userId: number): number => 1 << (userId % CALLER_BITS);

/** The least number of callers that these bits stand for. */
export const callersIn = (callers: number): number => {
  let count = 0;
  for (let left = callers; left > 0; left &= left - 1) count += 1;
  return count;
};

/** Failures that are the site's fault, whatever the caller did. */
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
