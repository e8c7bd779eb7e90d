import type { SeatCalls, SeatDayStore } from '#core/channel/seat-day-store.ts';
import { DAY_PIECE_MS, PIECES } from '#core/channel/seat-use.ts';
import type { Log } from '#core/logging.ts';

const WRITE_EVERY_MS = 5000;
/** What other nodes have written is read again this often: their news may be lost. */
const READ_EVERY_MS = 30_000;
const DELETE_EVERY_MS = 3_600_000;

interface SeatDaysDeps {
  readonly store: SeatDayStore;
  /** Wall clock: pieces of a day are the same for all nodes and runs. */
  readonly nowMs: () => number;
  readonly log: Pick<Log, 'error'>;
  /** Hears that all nodes together have used a seat so often in a piece, at least. */
  readonly known: (calls: SeatCalls) => void;
  /** Others hear what was counted before they can read it: who heard it later would count it twice. */
  readonly tell: () => void;
}

/**
 * What seats with a limit of a day are used for, kept across restarts and shared by nodes: written together every few seconds,
 * so that a crash forgets seconds.
 */
export class SeatDays {
  readonly #deps: SeatDaysDeps;
  /** Seat → piece → calls not written yet. As many seats as are counted at most. */
  #unwritten = new Map<number, Map<number, number>>();
  #readAtMs = 0;
  #deletedAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(deps: SeatDaysDeps) {
    this.#deps = deps;
  }

  /** Reads what earlier runs and other nodes have counted, and goes on with it. */
  async start(): Promise<void> {
    await this.#read(this.#piece - PIECES);
    this.#timer = setInterval(() => void this.run(), WRITE_EVERY_MS).unref();
  }

  /** A call to a seat with a limit of a day. */
  note(seat: number): void {
    this.#add({ seat, piece: this.#piece, calls: 1 });
  }

  /** Writes what is not written, and reads what others have, if it is time. Never rejects. */
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
      // Some of it may be written: then it counts twice, and the limit is kept rather too early than too late.
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
    this.#deps.log.error('what channels were used for today could not be kept', { error });
  }
}
