import { priceBuckets } from '../quota/price-factors.ts';
import { CallRows, type PricedSlice, type ReadCall } from './call-rows.ts';

/*
 * A pack stores the calls of a past hour in few bytes, so that a preview reads them in a fifth of the time that rows
 * take. It begins with its kinds of calls and of tools as texts. Then each call follows as numbers of 7 bits per
 * byte, lowest first: milliseconds since the hour began, user, units, cost + 1 (0 if unknown), kind, tools, the set
 * of buckets that are not empty, and their counts.
 */

/** A pack as stored. */
export interface CallPack {
  readonly calls: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** Base64, because both engines return texts unchanged. */
  readonly data: string;
}

/** The calls of a pack to add up: those from `fromMs` to `toMs`, both included. */
export interface PackedCalls {
  readonly data: string;
  readonly hourMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Some calls, as rows or as a pack of them. */
export type CallsGiven = { readonly rows: PricedSlice } | { readonly pack: PackedCalls };

const SEVEN_BITS = 128;
const FIRST_BYTES = 65_536;
/** The most bytes of a number up to 2^53. */
const NUMBER_BYTES = 8;
/** A call has at most eighteen numbers. */
const CALL_BYTES = 18 * NUMBER_BYTES;

/** Writes packs of calls that began in one hour. */
export class CallPacker {
  readonly #hourMs: number;
  readonly #rows = new CallRows();
  readonly #kinds = new Map<string, number>();
  readonly #tools = new Map<string, number>();
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;
  #calls = 0;
  #firstMs = Infinity;
  #lastMs = -Infinity;

  constructor(hourMs: number) {
    this.#hourMs = hourMs;
  }

  get calls(): number {
    return this.#calls;
  }

  add(slice: PricedSlice): void {
    const rows = this.#rows;
    rows.open(slice);
    while (rows.next()) this.#addCall(rows);
  }

  /** Returns a pack of the calls added since the last `take`. */
  take(): CallPack {
    const texts = Buffer.from(JSON.stringify([[...this.#kinds.keys()], [...this.#tools.keys()]]));
    const head = Buffer.alloc(NUMBER_BYTES);
    const headLength = writeNumber(head, 0, texts.length);
    const data = Buffer.concat([head.subarray(0, headLength), texts, this.#bytes.subarray(0, this.#length)]);
    const pack = {
      calls: this.#calls,
      firstMs: this.#firstMs,
      lastMs: this.#lastMs,
      data: data.toString('base64'),
    };
    this.#kinds.clear();
    this.#tools.clear();
    [this.#length, this.#calls, this.#firstMs, this.#lastMs] = [0, 0, Infinity, -Infinity];
    return pack;
  }

  #addCall(rows: CallRows): void {
    const { atMs, costNano } = rows;
    if (this.#length + CALL_BYTES > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.allocUnsafe(this.#bytes.length)]);
    this.#write(Math.max(0, atMs - this.#hourMs));
    this.#write(rows.user);
    this.#write(rows.units);
    this.#write(costNano === undefined ? 0 : costNano + 1);
    // An unreadable kind is counted as such, as with rows.
    this.#write(indexIn(this.#kinds, rows.kind() ?? ''));
    this.#write(indexIn(this.#tools, rows.tools));
    this.#writeCounts(rows.counts);
    this.#calls += 1;
    this.#firstMs = Math.min(this.#firstMs, atMs);
    this.#lastMs = Math.max(this.#lastMs, atMs);
  }

  #writeCounts(counts: readonly number[]): void {
    let filled = 0;
    for (let at = 0; at < counts.length; at += 1) if (counts[at] !== 0) filled |= 1 << at;
    this.#write(filled);
    for (const count of counts) if (count !== 0) this.#write(count);
  }

  #write(value: number): void {
    this.#length = writeNumber(this.#bytes, this.#length, value);
  }
}

const indexIn = (texts: Map<string, number>, text: string): number => {
  let index = texts.get(text);
  if (index === undefined) texts.set(text, (index = texts.size));
  return index;
};

/** @returns where the next begins */
const writeNumber = (bytes: Buffer, from: number, value: number): number => {
  let at = from;
  let rest = value;
  while (rest >= SEVEN_BITS) {
    bytes[at] = (rest % SEVEN_BITS) + SEVEN_BITS;
    rest = Math.floor(rest / SEVEN_BITS);
    at += 1;
  }
  bytes[at] = rest;
  return at + 1;
};

/** Reads a pack call by call: after each `next()` that returns true, the fields are those of one call. */
export class PackReader implements ReadCall {
  readonly kinds: readonly string[];
  atMs = 0;
  user = 0;
  units = 0;
  costNano: number | undefined;
  /** Tokens by bucket. Every call has the same list. */
  readonly counts: number[] = priceBuckets.map(() => 0);
  tools = '';
  /** The index of its kind in `kinds`. */
  kind = 0;
  readonly #tools: readonly string[];
  readonly #hourMs: number;
  readonly #bytes: Buffer;
  #at = 0;

  constructor(data: string, hourMs: number) {
    this.#hourMs = hourMs;
    this.#bytes = Buffer.from(data, 'base64');
    const end = this.#number() + this.#at;
    const texts = JSON.parse(this.#bytes.toString('utf8', this.#at, end)) as readonly (readonly string[])[];
    [this.kinds = [], this.#tools = []] = texts;
    this.#at = end;
  }

  /** Goes on to the next call of the pack. @returns whether there is one */
  next(): boolean {
    if (this.#at >= this.#bytes.length) return false;
    this.atMs = this.#hourMs + this.#number();
    this.user = this.#number();
    this.units = this.#number();
    const cost = this.#number();
    this.costNano = cost === 0 ? undefined : cost - 1;
    this.kind = this.#number();
    this.tools = this.#tools[this.#number()] ?? '';
    const filled = this.#number();
    const { counts } = this;
    for (let at = 0; at < counts.length; at += 1)
      counts[at] = (filled & (1 << at)) === 0 ? 0 : this.#number();
    return true;
  }

  #number(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++] ?? 0;
    if (byte < SEVEN_BITS) return byte;
    let value = byte - SEVEN_BITS;
    for (let scale = SEVEN_BITS; ; scale *= SEVEN_BITS) {
      byte = bytes[this.#at++] ?? 0;
      if (byte < SEVEN_BITS) return value + byte * scale;
      value += (byte - SEVEN_BITS) * scale;
    }
  }
}
