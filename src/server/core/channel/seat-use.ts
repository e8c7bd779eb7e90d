import type { KeyLimits } from './pool.ts';

/**
 * How often something happened in the last while, in pieces of a twelfth of it, so that within no time of that length more
 * is counted than it says. The piece that is running out counts whole.
 */
export class SlidingCount {
  readonly #pieceMs: number;
  readonly #counts = new Float64Array(PIECES + 1);
  /** The newest piece; those before it are its predecessors. */
  #piece = 0;
  #sum = 0;

  constructor(windowMs: number) {
    this.#pieceMs = windowMs / PIECES;
  }

  /** A clock that goes back counts into the newest piece. Less than 0 takes back. */
  add(nowMs: number, count: number): void {
    this.#roll(nowMs);
    const at = this.#piece % this.#counts.length;
    const before = this.#counts[at] ?? 0;
    const after = Math.max(0, before + count);
    this.#counts[at] = after;
    this.#sum += after - before;
  }

  /** Takes back what was counted at a moment; does nothing if that moment has left the window. */
  takeBack(nowMs: number, count: number, countedAtMs: number): void {
    this.#roll(nowMs);
    const piece = Math.min(Math.floor(countedAtMs / this.#pieceMs), this.#piece);
    if (piece < this.#piece - PIECES) return;
    const at = piece % this.#counts.length;
    const before = this.#counts[at] ?? 0;
    const after = Math.max(0, before - count);
    this.#counts[at] = after;
    this.#sum += after - before;
  }

  /** So much was counted in a piece, by whomever, at least. */
  atLeast(nowMs: number, piece: number, count: number): void {
    this.#roll(nowMs);
    if (piece > this.#piece || piece < this.#piece - PIECES) return;
    const at = piece % this.#counts.length;
    const more = count - (this.#counts[at] ?? 0);
    if (more <= 0) return;
    this.#counts[at] = count;
    this.#sum += more;
  }

  /** Of every piece that is not empty: how many before the newest it is, and what was counted. */
  pieces(nowMs: number): [back: number, count: number][] {
    this.#roll(nowMs);
    const found: [number, number][] = [];
    for (let back = 0; back <= PIECES && back <= this.#piece; back++) {
      const count = this.#counts[(this.#piece - back) % this.#counts.length] ?? 0;
      if (count > 0) found.push([back, count]);
    }
    return found;
  }

  /** So much was counted in the piece that is so many before the newest, by whomever, at least. */
  atLeastBack(nowMs: number, back: number, count: number): void {
    this.#roll(nowMs);
    this.atLeast(nowMs, this.#piece - back, count);
  }

  sum(nowMs: number): number {
    this.#roll(nowMs);
    return this.#sum;
  }

  /** When so much is left of it, if nothing is added; now if that is already so. */
  fallsToMs(nowMs: number, atMost: number): number {
    let left = this.sum(nowMs);
    for (let back = PIECES; back >= 0; back--) {
      if (left <= atMost) return back === PIECES ? nowMs : this.#goneAtMs(back + 1);
      left -= this.#counts[(this.#piece - back + this.#counts.length) % this.#counts.length] ?? 0;
    }
    return this.#goneAtMs(0);
  }

  #goneAtMs(back: number): number {
    return (this.#piece - back + PIECES + 1) * this.#pieceMs;
  }

  #roll(nowMs: number): void {
    const piece = Math.floor(nowMs / this.#pieceMs);
    if (piece <= this.#piece) return;
    const length = this.#counts.length;
    for (let next = Math.max(this.#piece + 1, piece - PIECES); next <= piece; next++) {
      this.#sum -= this.#counts[next % length] ?? 0;
      this.#counts[next % length] = 0;
    }
    if (piece - this.#piece > PIECES) {
      this.#counts.fill(0);
      this.#sum = 0;
    }
    this.#piece = piece;
  }
}

/** So many pieces make a window of time; the oldest counts whole. */
export const PIECES = 12;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A day is counted in pieces of two hours, which begin when they do by UTC. */
export const DAY_PIECE_MS = DAY_MS / PIECES;
/** What another node has running counts for so long after it told of it. */
const TOLD_MS = 5000;

type Pieces = readonly (readonly [back: number, count: number])[];
export type SeatMinute = readonly [calls: Pieces, tokens: Pieces];

/** How much one key or channel is used. Times are monotonic; those of the day are by the wall clock, as it is counted across runs. */
export class SeatUse {
  readonly #calls = new SlidingCount(MINUTE_MS);
  readonly #tokens = new SlidingCount(MINUTE_MS);
  readonly #day = new SlidingCount(DAY_MS);
  readonly #elsewhere = new Map<string, { readonly count: number; readonly toldAtMs: number }>();
  /** Running here. */
  running = 0;
  usedAtMs = 0;

  /** When another call of so many tokens may fit; now if it fits. A call that alone is too large fits into an empty minute. */
  freeAtMs(limits: KeyLimits, tokens: number, nowMs: number, wallMs = nowMs): number {
    const { callsPerMinute, tokensPerMinute, concurrent, callsPerDay } = limits;
    let atMs = nowMs;
    if (concurrent > 0 && this.#runningEverywhere(nowMs) >= concurrent) atMs = nowMs + ENDS_SOON_MS;
    if (callsPerMinute > 0) atMs = Math.max(atMs, this.#calls.fallsToMs(nowMs, callsPerMinute - 1));
    if (callsPerDay > 0)
      atMs = Math.max(atMs, nowMs + (this.#day.fallsToMs(wallMs, callsPerDay - 1) - wallMs));
    if (tokensPerMinute > 0)
      atMs = Math.max(atMs, this.#tokens.fallsToMs(nowMs, Math.max(0, tokensPerMinute - tokens)));
    return atMs;
  }

  /** Of the tokens that were counted at a moment fewer were used. */
  giveBack(tokens: number, countedAtMs: number, nowMs: number): void {
    this.#tokens.takeBack(nowMs, tokens, countedAtMs);
  }

  add(calls: number, tokens: number, nowMs: number, wallMs = nowMs): void {
    this.#calls.add(nowMs, calls);
    this.#day.add(wallMs, calls);
    this.#tokens.add(nowMs, tokens);
    this.usedAtMs = nowMs;
  }

  /** Hears that in a piece of a day all nodes and runs together made at least so many calls. */
  wasUsed(calls: number, piece: number, nowMs: number, wallMs = nowMs): void {
    this.#day.atLeast(wallMs, piece, calls);
    this.usedAtMs = nowMs;
  }

  /** What was used in the last minute: pieces of it before the newest, with calls and with tokens. */
  minute(nowMs: number): SeatMinute {
    return [this.#calls.pieces(nowMs), this.#tokens.pieces(nowMs)];
  }

  /** Hears that all nodes together used at least so much within the last minute. */
  usedInMinute([calls, tokens]: SeatMinute, nowMs: number): void {
    for (const [back, count] of calls) this.#calls.atLeastBack(nowMs, back, count);
    for (const [back, count] of tokens) this.#tokens.atLeastBack(nowMs, back, count);
    this.usedAtMs = nowMs;
  }

  /** Another node has so many running. */
  runsElsewhere(node: string, count: number, nowMs: number): void {
    if (count === 0) this.#elsewhere.delete(node);
    else this.#elsewhere.set(node, { count, toldAtMs: nowMs });
    this.usedAtMs = nowMs;
  }

  #runningEverywhere(nowMs: number): number {
    let sum = this.running;
    for (const [node, { count, toldAtMs }] of this.#elsewhere) {
      if (nowMs >= toldAtMs + TOLD_MS) this.#elsewhere.delete(node);
      else sum += count;
    }
    return sum;
  }
}

/** When a running call ends cannot be foreseen: room is looked for again after this. */
const ENDS_SOON_MS = 100;
