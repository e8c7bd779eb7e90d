import {
  binOf,
  bucketAt,
  BUCKETS,
  type ChannelSums,
  FIELD,
  FIELDS,
  type KeySums,
  LAST_BUCKETS,
  type LiveReport,
  sumOfLast,
  totalsOf,
} from '#core/channel/live-sums.ts';

/** The most seats counted; 7 kB each. */
const SEATS_MAX = 2000;
/** The most channels reported, the busiest first. */
const CHANNELS_TOLD = 200;
const KEYS_TOLD = 50;
const ROUTES_MAX = 24;
/** Larger counts are cut to this, because an upstream may report any number. */
const TOKENS_MAX = 10_000_000;
const MS_MAX = 3_600_000;

/** The activity of one seat: running attempts, and counts of the last five minutes. */
export class SeatPulse {
  inFlight = 0;
  readonly channelId: number;
  readonly keyId: number;
  /** A ring of buckets, indexed by bucket number. */
  readonly #counts = new Uint32Array(BUCKETS * FIELDS);
  readonly #buckets = new Float64Array(BUCKETS);
  readonly #routes = new Set<string>();
  /** The route added last. */
  #lastGroup = '';
  #lastModel = '';
  #lastBucket = 0;

  constructor(channelId: number, keyId: number) {
    this.channelId = channelId;
    this.keyId = keyId;
  }

  get lastBucket(): number {
    return this.#lastBucket;
  }

  get routes(): ReadonlySet<string> {
    return this.#routes;
  }

  /** Counts the start of an attempt, which runs until `left`. */
  began(group: string, model: string, nowMs: number): void {
    this.inFlight += 1;
    this.#add(this.#at(nowMs) + FIELD.calls, 1);
    if (group === this.#lastGroup && model === this.#lastModel) return;
    this.#lastGroup = group;
    this.#lastModel = model;
    if (this.#routes.size < ROUTES_MAX) this.#routes.add(`${group}\n${model}`);
  }

  left(): void {
    this.inFlight -= 1;
  }

  failed(nowMs: number): void {
    this.#add(this.#at(nowMs) + FIELD.errors, 1);
  }

  /** @param tookMs how long the first token of a stream took */
  firstToken(tookMs: number, nowMs: number): void {
    const at = this.#at(nowMs);
    const ms = Math.min(MS_MAX, Math.max(0, tookMs));
    this.#add(at + FIELD.firsts, 1);
    this.#add(at + FIELD.firstMs, ms);
    this.#add(at + binOf(ms), 1);
  }

  /** Counts the tokens of a prompt, and those read from a cache. */
  read(promptTokens: number, cachedTokens: number, nowMs: number): void {
    const at = this.#at(nowMs);
    const prompt = Math.min(TOKENS_MAX, Math.max(0, promptTokens));
    this.#add(at + FIELD.prompt, prompt);
    this.#add(at + FIELD.cached, Math.min(prompt, Math.max(0, cachedTokens)));
  }

  /** Adds its counts to those of others, oldest bucket first. */
  addTo(counts: Uint32Array, lastBucket: number): void {
    for (let place = 0; place < BUCKETS; place += 1) {
      const age = lastBucket - (this.#buckets[place] ?? 0);
      if (age < 0 || age >= BUCKETS) continue;
      const to = (BUCKETS - 1 - age) * FIELDS;
      for (let field = 0; field < FIELDS; field += 1)
        counts[to + field] = (counts[to + field] ?? 0) + (this.#counts[place * FIELDS + field] ?? 0);
    }
  }

  #at(nowMs: number): number {
    const bucket = bucketAt(nowMs);
    const place = bucket % BUCKETS;
    if (this.#buckets[place] !== bucket) {
      this.#counts.fill(0, place * FIELDS, (place + 1) * FIELDS);
      this.#buckets[place] = bucket;
      if (bucket - this.#lastBucket >= BUCKETS) {
        this.#routes.clear();
        this.#lastGroup = this.#lastModel = '';
      }
      this.#lastBucket = bucket;
    }
    return place * FIELDS;
  }

  #add(at: number, count: number): void {
    this.#counts[at] = (this.#counts[at] ?? 0) + count;
  }
}

/**
 * The activity of all seats of this relay, for the live board. Seats without calls are forgotten after five minutes.
 */
export class LivePulses {
  readonly #channels = new Map<number, Map<number, SeatPulse>>();
  #seats = 0;
  /** The bucket in which idle seats were last removed. */
  #lookedBucket = 0;

  /** Counts the start of an attempt at a seat, for a group and a model. */
  began(
    seat: { readonly id: number; readonly keyId: number },
    group: string,
    model: string,
    nowMs: number,
  ): SeatPulse {
    const pulse = this.of(seat.id, seat.keyId, nowMs);
    pulse.began(group, model, nowMs);
    return pulse;
  }

  of(channelId: number, keyId: number, nowMs: number): SeatPulse {
    const known = this.#channels.get(channelId)?.get(keyId);
    if (known !== undefined) return known;
    if (this.#seats >= SEATS_MAX) this.#makeRoom(bucketAt(nowMs));
    const seat = new SeatPulse(channelId, keyId);
    const keys = this.#channels.get(channelId);
    if (keys === undefined) this.#channels.set(channelId, new Map([[keyId, seat]]));
    else keys.set(keyId, seat);
    this.#seats += 1;
    return seat;
  }

  get size(): number {
    return this.#seats;
  }

  report(nowMs: number): LiveReport {
    const lastBucket = bucketAt(nowMs);
    this.#forgetIdle(lastBucket);
    const channels = [...this.#channels]
      .map(([channelId, keys]) => sumsOf(channelId, [...keys.values()], lastBucket))
      .toSorted((left, right) => callsOf(right) - callsOf(left))
      .slice(0, CHANNELS_TOLD);
    return { lastBucket, channels };
  }

  #forgetIdle(lastBucket: number): void {
    this.#lookedBucket = lastBucket;
    for (const [channelId, keys] of this.#channels) {
      for (const [keyId, seat] of keys)
        if (seat.inFlight === 0 && lastBucket - seat.lastBucket >= BUCKETS) {
          keys.delete(keyId);
          this.#seats -= 1;
        }
      if (keys.size === 0) this.#channels.delete(channelId);
    }
  }

  /** Removes idle seats; if there are none, the channel that has been in use for the longest time. */
  #makeRoom(lastBucket: number): void {
    if (this.#lookedBucket !== lastBucket) this.#forgetIdle(lastBucket);
    if (this.#seats < SEATS_MAX) return;
    const [oldest] = this.#channels;
    if (oldest === undefined) return;
    this.#seats -= oldest[1].size;
    this.#channels.delete(oldest[0]);
  }
}

const callsOf = ({ counts }: ChannelSums): number => sumOfLast(counts, 'calls', BUCKETS);

const sumsOf = (channelId: number, seats: readonly SeatPulse[], lastBucket: number): ChannelSums => {
  const counts = new Uint32Array(BUCKETS * FIELDS);
  for (const seat of seats) seat.addTo(counts, lastBucket);
  return {
    channelId,
    inFlight: seats.reduce((sum, { inFlight }) => sum + inFlight, 0),
    counts,
    keys: seats
      .filter(({ keyId }) => keyId !== 0)
      .toSorted((left, right) => right.lastBucket - left.lastBucket)
      .slice(0, KEYS_TOLD)
      .map((seat) => keySums(seat, lastBucket)),
    routes: [...new Set(seats.flatMap(({ routes }) => [...routes]))].slice(0, ROUTES_MAX),
  };
};

const keySums = (seat: SeatPulse, lastBucket: number): KeySums => {
  const counts = new Uint32Array(BUCKETS * FIELDS);
  seat.addTo(counts, lastBucket);
  return {
    keyId: seat.keyId,
    inFlight: seat.inFlight,
    calls: sumOfLast(counts, 'calls', LAST_BUCKETS),
    errors: sumOfLast(counts, 'errors', LAST_BUCKETS),
    totals: totalsOf(counts),
  };
};
