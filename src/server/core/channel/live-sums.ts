/**
 * What channels are doing right now: counts of the last five minutes, in buckets of five seconds that all relays and nodes begin
 * at the same times. They are added up over relays, shown, and forgotten.
 */

export const BUCKET_MS = 5000;
export const BUCKETS = 60;
/** Of the last minute. */
export const LAST_BUCKETS = 12;

/** First tokens by duration: the first bin up to 10 ms, each further one half as long again, the last without an end. */
const BINS = 24;
const FIRST_BIN_MS = 10;
const BIN_RATIO = 1.45;

/** The place of each field in the counts of one bucket; `bins` is the first of many. */
export const FIELD = { calls: 0, errors: 1, firsts: 2, firstMs: 3, prompt: 4, cached: 5, bins: 6 } as const;
export const FIELDS = FIELD.bins + BINS;

type Field = Exclude<keyof typeof FIELD, 'bins'>;

/** What one key of a pool does right now. */
export interface KeySums {
  readonly keyId: number;
  readonly inFlight: number;
  /** Of the last minute. */
  readonly calls: number;
  readonly errors: number;
  /** One bucket's counts, of all five minutes. */
  readonly totals: Uint32Array;
}

/** What one channel does right now, and did in the last five minutes. */
export interface ChannelSums {
  readonly channelId: number;
  readonly inFlight: number;
  /** `FIELDS` counts for each of `BUCKETS` buckets, the oldest first. */
  readonly counts: Uint32Array;
  /** Of its several keys, those that were used. */
  readonly keys: readonly KeySums[];
  /** For whom it was asked, and for what: group and model, with a line feed between. */
  readonly routes: readonly string[];
}

/** What one relay tells. */
export interface LiveReport {
  /** The number of the newest bucket: its time, in lengths of buckets. */
  readonly lastBucket: number;
  readonly channels: readonly ChannelSums[];
}

/** The number of the bucket this time falls into. */
export const bucketAt = (nowMs: number): number => Math.floor(nowMs / BUCKET_MS);

/** In which bin a first token counts, among the fields. */
export const binOf = (ms: number): number => {
  const bin = ms <= FIRST_BIN_MS ? 0 : Math.ceil(Math.log(ms / FIRST_BIN_MS) / Math.log(BIN_RATIO));
  return FIELD.bins + Math.min(BINS - 1, bin);
};

/** Within this time that share of the first tokens came, as near as the bins tell; undefined without any. */
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

/** One field of every bucket, the oldest first. */
export const seriesOf = (counts: Uint32Array, field: Field): number[] =>
  Array.from({ length: BUCKETS }, (_, at) => counts[at * FIELDS + FIELD[field]] ?? 0);

/** All fields added up over all buckets. */
export const totalsOf = (counts: Uint32Array): Uint32Array => {
  const totals = new Uint32Array(FIELDS);
  for (const [at, count] of counts.entries()) totals[at % FIELDS] = (totals[at % FIELDS] ?? 0) + count;
  return totals;
};

/** What relays tell, added up by channel and key. What is older than five minutes by now is left out. */
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

/** @param late by how many buckets `more` is older */
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
