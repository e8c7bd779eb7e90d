import type { KeyLimits } from '../keys/pool.ts';
import { DAY_MS, MINUTE_MS } from '../../time/spans.ts';

/**
 * Counts events in a sliding window of twelve pieces, so that no period of the window's length contains more than it
 * reports. The oldest piece counts whole.
 */
export class SlidingCount {
  readonly #pieceMs: number;
  readonly #counts = new Float64Array(PIECES + 1);
  /** The newest piece; older ones are counted back from it. */
  #piece = 0;
  #sum = 0;

  constructor(windowMs: number) {
    this.#pieceMs = windowMs / PIECES;
  }

  /** If the clock lags, adds to the newest piece. A negative count subtracts. */
  add(nowMs: number, count: number): void {
    this.#roll(nowMs);
    const at = this.#piece % this.#counts.length;
    const before = this.#counts[at] ?? 0;
    const after = Math.max(0, before + count);
    this.#counts[at] = after;
    this.#sum += after - before;
  }

  /** Subtracts what was counted at that time; does nothing if that time has left the window. */
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

  /** Raises a piece to at least this count, whoever counted it. */
  atLeast(nowMs: number, piece: number, count: number): void {
    this.#roll(nowMs);
    if (piece > this.#piece || piece < this.#piece - PIECES) return;
    const at = piece % this.#counts.length;
    const more = count - (this.#counts[at] ?? 0);
    if (more <= 0) return;
    this.#counts[at] = count;
    this.#sum += more;
  }

  /** Every piece that is not empty: how many pieces before the newest it is, and its count. */
  pieces(nowMs: number): [back: number, count: number][] {
    this.#roll(nowMs);
    const found: [number, number][] = [];
    for (let back = 0; back <= PIECES && back <= this.#piece; back++) {
      const count = this.#counts[(this.#piece - back) % this.#counts.length] ?? 0;
      if (count > 0) found.push([back, count]);
    }
    return found;
  }

  /** Raises the piece `back` before the newest to at least this count, whoever counted it. */
  atLeastBack(nowMs: number, back: number, count: number): void {
    this.#roll(nowMs);
    this.atLeast(nowMs, this.#piece - back, count);
  }

  sum(nowMs: number): number {
    this.#roll(nowMs);
    return this.#sum;
  }

  /** When the count will have fallen to `atMost` if nothing is added; now if it already has. */
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
    if (piece < this.#piece - 1) this.#goBackTo(piece);
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

  /** The clock was set back. Counts keep their age; otherwise they would count until the old time comes again. */
  #goBackTo(piece: number): void {
    const counts = this.#counts.slice();
    const { length } = counts;
    for (let back = 0; back < length; back++) {
      const from = (this.#piece - back + length) % length;
      this.#counts[(piece - back + length) % length] = counts[from] ?? 0;
    }
    this.#piece = piece;
  }
}

/** The number of pieces in a window; the oldest counts whole. */
export const PIECES = 12;
/** A day is counted in pieces of two hours, aligned to UTC. */
export const DAY_PIECE_MS = DAY_MS / PIECES;
/** How long another node's report of its running calls is valid. */
const TOLD_MS = 5000;

type Pieces = readonly (readonly [back: number, count: number])[];
export type SeatMinute = readonly [calls: Pieces, tokens: Pieces];

/**
 * The use of one key or channel. Times are monotonic, except for daily counts, which use the wall clock because they
 * outlive the process.
 */
export class SeatUse {
  readonly #calls = new SlidingCount(MINUTE_MS);
  readonly #tokens = new SlidingCount(MINUTE_MS);
  readonly #day = new SlidingCount(DAY_MS);
  readonly #elsewhere = new Map<string, { readonly count: number; readonly toldAtMs: number }>();
  /** Calls running in this process. */
  running = 0;
  usedAtMs = 0;

  /**
   * When another call of this many tokens may fit; now if it fits. A call that is too large on its own fits into an
   * empty minute.
   */
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

  /** Returns tokens counted at that time that were not used. */
  giveBack(tokens: number, countedAtMs: number, nowMs: number): void {
    this.#tokens.takeBack(nowMs, tokens, countedAtMs);
  }

  /** Returns a call counted at that time that was not made. */
  giveBackCall(
    counted: { readonly atMs: number; readonly wallMs: number },
    nowMs: number,
    wallMs: number,
  ): void {
    this.#calls.takeBack(nowMs, 1, counted.atMs);
    this.#day.takeBack(wallMs, 1, counted.wallMs);
  }

  add(calls: number, tokens: number, nowMs: number, wallMs = nowMs): void {
    this.#calls.add(nowMs, calls);
    this.#day.add(wallMs, calls);
    this.#tokens.add(nowMs, tokens);
    this.usedAtMs = nowMs;
  }

  /** Records that in a piece of a day all nodes and earlier runs together made at least this many calls. */
  wasUsed(calls: number, piece: number, nowMs: number, wallMs = nowMs): void {
    this.#day.atLeast(wallMs, piece, calls);
    this.usedAtMs = nowMs;
  }

  /** The use in the last minute: per piece before the newest, calls and tokens. */
  minute(nowMs: number): SeatMinute {
    return [this.#calls.pieces(nowMs), this.#tokens.pieces(nowMs)];
  }

  /** Records that all nodes together used at least this much within the last minute. */
  usedInMinute([calls, tokens]: SeatMinute, nowMs: number): void {
    for (const [back, count] of calls) this.#calls.atLeastBack(nowMs, back, count);
    for (const [back, count] of tokens) this.#tokens.atLeastBack(nowMs, back, count);
    this.usedAtMs = nowMs;
  }

  /** Records how many calls another node has running. */
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

/** The end of a running call cannot be predicted: room is checked again after this time. */
const ENDS_SOON_MS = 100;
