/**
 * What channels are doing right now: counts of the last five minutes, in five-second buckets that begin at the same
 * times in all relays and nodes. They are added up over relays, shown, and then dropped.
 */

export const BUCKET_MS = 5000;
/** The number of buckets: five minutes of them. */
export const BUCKETS = 60;
/** The buckets of the last minute. */
export const LAST_BUCKETS = 12;

/**
 * The number of bins for the time to the first token. The first ends at 10 ms, each further one is half as long
 * again, and the last is open.
 */
const BINS = 24;
const FIRST_BIN_MS = 10;
const BIN_RATIO = 1.45;

/** The index of each field in the counts of a bucket; `bins` is the first of many. */
export const FIELD = { calls: 0, errors: 1, firsts: 2, firstMs: 3, prompt: 4, cached: 5, bins: 6 } as const;
/** How many counts a bucket has: the named fields and the bins. */
export const FIELDS = FIELD.bins + BINS;

type Field = Exclude<keyof typeof FIELD, 'bins'>;

/** What one key of a pool is doing right now. */
export interface KeySums {
  readonly keyId: number;
  readonly inFlight: number;
  /** Calls in the last minute. */
  readonly calls: number;
  readonly errors: number;
  /** The counts of all five minutes, as one bucket. */
  readonly totals: Uint32Array;
}

/** What one channel is doing right now and did in the last five minutes. */
export interface ChannelSums {
  readonly channelId: number;
  readonly inFlight: number;
  /** `FIELDS` counts for each of `BUCKETS` buckets, oldest first. */
  readonly counts: Uint32Array;
  /** Those of its keys that were used, if it has several. */
  readonly keys: readonly KeySums[];
  /** The groups and models it was used for: group and model, separated by a line feed. */
  readonly routes: readonly string[];
}

/** The report of one relay. */
export interface LiveReport {
  /** The number of the newest bucket: its time divided by the bucket length. */
  readonly lastBucket: number;
  readonly channels: readonly ChannelSums[];
}

/** The number of the bucket for this time. */
export const bucketAt = (nowMs: number): number => Math.floor(nowMs / BUCKET_MS);

/** The field that counts a first token of this duration. */
export const binOf = (ms: number): number => {
  const bin = ms <= FIRST_BIN_MS ? 0 : Math.ceil(Math.log(ms / FIRST_BIN_MS) / Math.log(BIN_RATIO));
  return FIELD.bins + Math.min(BINS - 1, bin);
};

/**
 * The time within which this share of the first tokens arrived, to the precision of the bins; undefined without any.
 */
export const firstTokenMs = (totals: Uint32Array, share: number): number | undefined => {
  const bins = totals.subarray(FIELD.bins, FIELDS);
  const all = bins.reduce((sum, count) => sum + count, 0);
  if (all === 0) return undefined;
  let before = 0;
  for (const [bin, count] of bins.entries()) {
    const within = all * share - before;
    if (count > 0 && within <= count) {
      const endMs = FIRST_BIN_MS * BIN_RATIO ** bin;
      const beginMs = bin === 0 ? 0 : endMs / BIN_RATIO;
      return Math.round(beginMs + (endMs - beginMs) * (within / count));
    }
    before += count;
  }
  return Math.round(FIRST_BIN_MS * BIN_RATIO ** (BINS - 1));
};

/** The sum of one field over the last buckets. */
export const sumOfLast = (counts: Uint32Array, field: Field, buckets: number): number => {
  let sum = 0;
  for (let at = BUCKETS - buckets; at < BUCKETS; at += 1) sum += counts[at * FIELDS + FIELD[field]] ?? 0;
  return sum;
};

/** One field of every bucket, oldest first. */
export const seriesOf = (counts: Uint32Array, field: Field): number[] =>
  Array.from({ length: BUCKETS }, (_, at) => counts[at * FIELDS + FIELD[field]] ?? 0);

/** All fields added up over all buckets. */
export const totalsOf = (counts: Uint32Array): Uint32Array => {
  const totals = new Uint32Array(FIELDS);
  for (const [at, count] of counts.entries()) totals[at % FIELDS] = (totals[at % FIELDS] ?? 0) + count;
  return totals;
};

/** Adds up the reports of relays by channel and key. Leaves out what is older than five minutes. */
export const addReports = (reports: readonly LiveReport[], nowMs: number): LiveReport => {
  const lastBucket = bucketAt(nowMs);
  const channels = new Map<number, ChannelSums>();
  for (const report of reports) {
    const late = lastBucket - report.lastBucket;
    for (const sums of report.channels) {
      const before = channels.get(sums.channelId);
      channels.set(sums.channelId, addChannel(before, sums, late));
    }
  }
  return { lastBucket, channels: [...channels.values()] };
};

/** @param late how many buckets `more` is older */
const addChannel = (before: ChannelSums | undefined, more: ChannelSums, late: number): ChannelSums => {
  const counts = before === undefined ? new Uint32Array(BUCKETS * FIELDS) : before.counts;
  const shift = Math.max(0, late) * FIELDS;
  for (let at = shift; at < counts.length; at += 1)
    counts[at - shift] = (counts[at - shift] ?? 0) + (more.counts[at] ?? 0);
  return {
    channelId: more.channelId,
    inFlight: (before?.inFlight ?? 0) + more.inFlight,
    counts,
    keys: addKeys(before?.keys ?? [], more.keys),
    routes: [...new Set([...(before?.routes ?? []), ...more.routes])],
  };
};

const addKeys = (before: readonly KeySums[], more: readonly KeySums[]): readonly KeySums[] => {
  if (before.length === 0) return more;
  const keys = new Map(before.map((key) => [key.keyId, key]));
  for (const key of more) {
    const known = keys.get(key.keyId);
    keys.set(key.keyId, known === undefined ? key : addKey(known, key));
  }
  return [...keys.values()];
};

const addKey = (one: KeySums, other: KeySums): KeySums => ({
  keyId: one.keyId,
  inFlight: one.inFlight + other.inFlight,
  calls: one.calls + other.calls,
  errors: one.errors + other.errors,
  totals: one.totals.map((count, at) => count + (other.totals[at] ?? 0)),
});
