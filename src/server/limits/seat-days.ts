import type { SeatCalls, SeatDayStore } from '#core/channel/seats/seat-day-store.ts';
import { DAY_PIECE_MS, PIECES } from '#core/channel/seats/seat-use.ts';
import type { Log } from '#core/logging.ts';

const WRITE_EVERY_MS = 5000;
/** Other nodes' counts are read again at this interval, because their news may be lost. */
const READ_EVERY_MS = 30_000;
const DELETE_EVERY_MS = 3_600_000;

interface SeatDaysDeps {
  readonly store: SeatDayStore;
  /** The wall clock: pieces of a day are the same for all nodes and runs. */
  readonly nowMs: () => number;
  readonly log: Pick<Log, 'error'>;
  /** Called with the least number of calls that all nodes together made to a seat in a piece. */
  readonly known: (calls: SeatCalls) => void;
  /**
   * Sends pending reports before other nodes can read the stored counts; received later, they would be counted twice.
   */
  readonly tell: () => void;
}

/**
 * The use of seats with a daily limit, stored across restarts and shared by nodes. Written every few seconds, so that a
 * crash loses only seconds.
 */
export class SeatDays {
  readonly #deps: SeatDaysDeps;
  /** Seat → piece → calls not written yet. Has at most as many seats as are counted. */
  #unwritten = new Map<number, Map<number, number>>();
  #readAtMs = 0;
  #deletedAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(deps: SeatDaysDeps) {
    this.#deps = deps;
  }

  /** Loads the counts of earlier runs and other nodes. */
  async start(): Promise<void> {
    await this.#read(this.#piece - PIECES);
    this.#timer = setInterval(() => void this.run(), WRITE_EVERY_MS).unref();
  }

  /** Counts a call to a seat with a daily limit; -1 if it was not made after all. */
  note(seat: number, calls: number): void {
    this.#add({ seat, piece: this.#piece, calls });
  }

  /** Writes pending counts, and reads those of other nodes if it is time. Never rejects. */
  run(): Promise<void> {
    return (this.#running ??= this.#run().finally(() => (this.#running = undefined)));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    await this.#write().catch((error: unknown) => this.#failed(error));
  }

  get #piece(): number {
    return Math.floor(this.#deps.nowMs() / DAY_PIECE_MS);
  }

  async #run(): Promise<void> {
    const { store, nowMs } = this.#deps;
    try {
      await this.#write();
      const atMs = nowMs();
      if (atMs < this.#readAtMs || atMs - this.#readAtMs >= READ_EVERY_MS) await this.#read(this.#piece - 1);
      if (atMs >= this.#deletedAtMs && atMs - this.#deletedAtMs < DELETE_EVERY_MS) return;
      await store.deleteBefore(this.#piece - PIECES);
      this.#deletedAtMs = atMs;
    } catch (error) {
      this.#failed(error);
    }
  }

  async #read(since: number): Promise<void> {
    const { store, nowMs, known } = this.#deps;
    for (const { seat, piece, calls } of await store.since(since))
      known({ seat, piece, calls: calls + (this.#unwritten.get(seat)?.get(piece) ?? 0) });
    this.#readAtMs = nowMs();
  }

  async #write(): Promise<void> {
    const taken = this.#unwritten;
    if (taken.size === 0) return;
    this.#deps.tell();
    this.#unwritten = new Map();
    const rows: SeatCalls[] = [];
    for (const [seat, pieces] of taken)
      for (const [piece, calls] of pieces) rows.push({ seat, piece, calls });
    try {
      await this.#deps.store.add(rows);
    } catch (error) {
      // Part of it may have been written and then counts twice: the limit is reached too early rather than too late.
      for (const row of rows) this.#add(row);
      throw error;
    }
  }

  #add({ seat, piece, calls }: SeatCalls): void {
    const pieces = this.#unwritten.get(seat) ?? new Map<number, number>();
    pieces.set(piece, (pieces.get(piece) ?? 0) + calls);
    this.#unwritten.set(seat, pieces);
  }

  #failed(error: unknown): void {
    this.#deps.log.error('the use of channels today could not be stored', { error });
  }
}
