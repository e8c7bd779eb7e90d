/**
 * What the replies of a channel say about its upstream's honesty, as sums of one day:
 * - `calls`: answered calls; the amount is their tokens as reported
 * - `named`: calls whose reply names a model; the detail is that name if it is not the requested one
 * - `output`, `prompt`: calls by the ratio of reported tokens to our own count; the detail is the bucket of the ratio, the
 * amount the tokens reported beyond our count
 * - `hidden`: calls that asked for no thoughts and show none; the detail is `told` if they report tokens for some all the same,
 * the amount those tokens
 * - `first_token`: streams by the time to the first token; the detail is the bucket, the amount milliseconds
 * - `cache`: calls that report reads from a cache; the detail says what is wrong with them, the amount is tokens
 * - `impossible`: calls that report more tokens than there can have been; the amount is the tokens reported
 * - `sealed`: questions with known answers; the detail is `right`, `wrong` or `unclear`, the amount billionths of a US dollar.
 * The detail `reserved` is the most that questions without an answer yet can cost; it counts no question
 */
export type EvidenceMeasure =
  | 'calls'
  | 'named'
  | 'output'
  | 'prompt'
  | 'hidden'
  | 'first_token'
  | 'cache'
  | 'impossible'
  | 'sealed';

/** The detail of calls that report tokens for thoughts although none were requested or shown. */
export const TOLD = 'told';

/** The detail of cache reads that report more tokens than the whole prompt can have. */
export const MORE_THAN_PROMPT = 'more_than_prompt';

/** The detail of cache reads of text that was never sent there before. */
export const NEVER_SENT = 'never_sent';

/** How many replies showed something about their upstream; the meaning of `amount` depends on the measure. */
export interface EvidenceSum {
  readonly model: string;
  readonly measure: string;
  readonly detail: string;
  readonly calls: number;
  readonly amount: number;
}

/** The same for one channel and day. */
export interface EvidenceRow extends EvidenceSum {
  readonly channelId: number;
  /** Days since 1970. */
  readonly day: number;
}

/** Sealed questions of one day that a model answered with the same verdict. */
export interface SealedDay {
  /** Days since 1970. */
  readonly day: number;
  readonly model: string;
  /** `right`, `wrong` or `unclear`. */
  readonly verdict: string;
  readonly questions: number;
}

/** Stores what replies show about their upstreams, by channel and day (UTC). */
export interface EvidenceStore {
  /** Adds the rows to the sums of their days. */
  add(rows: readonly EvidenceRow[]): Promise<void>;
  /** The sums of a channel since a day. */
  ofChannel(channelId: number, fromDay: number): Promise<EvidenceSum[]>;
  /** The results of the channel's sealed questions since a day, newest first. */
  sealedDays(channelId: number, fromDay: number): Promise<SealedDay[]>;
  /** How reported tokens compare with our count for all other channels, for the models this one has answered for. */
  ofOthers(channelId: number, fromDay: number): Promise<EvidenceSum[]>;
  /** What a rule judges by, for every channel: model names and ratios. */
  ofAll(fromDay: number): Promise<(EvidenceSum & { readonly channelId: number })[]>;
  /** Deletes the days before this one. */
  deleteBefore(day: number): Promise<void>;
}

const STEPS = 4;
const LEAST_RATIO_BUCKET = -8;
const MOST_RATIO_BUCKET = 16;
/** The last time bucket: about four minutes. */
const MOST_TIME_BUCKET = 72;

const clamped = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/** Four buckets per doubling, from a quarter to sixteen: bucket 0 holds ratios from 1 to 1.19. */
export const ratioBucket = (reported: number, counted: number): number =>
  clamped(Math.floor(Math.log2(reported / counted) * STEPS), LEAST_RATIO_BUCKET, MOST_RATIO_BUCKET);

/** Four buckets per doubling; the last one holds everything slower. */
export const timeBucket = (ms: number): number =>
  clamped(Math.floor(Math.log2(Math.max(1, ms)) * STEPS), 0, MOST_TIME_BUCKET);

/** The middle of a bucket. */
const valueOf = (bucket: number): number => 2 ** ((bucket + 0.5) / STEPS);

/**
 * The value that this share of the calls does not exceed, to the precision of the buckets; a few odd calls do not move
 * a median. Undefined without calls.
 */
export const quantile = (
  sums: readonly Pick<EvidenceSum, 'detail' | 'calls'>[],
  share: number,
): number | undefined => {
  const sorted = sums
    .map(({ detail, calls }) => ({ bucket: Number(detail), calls }))
    .filter(({ bucket, calls }) => Number.isFinite(bucket) && calls > 0)
    .toSorted((left, right) => left.bucket - right.bucket);
  const total = sorted.reduce((sum, { calls }) => sum + calls, 0);
  let before = 0;
  for (const { bucket, calls } of sorted) {
    before += calls;
    if (before >= total * share) return valueOf(bucket);
  }
  return undefined;
};
