import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';

/** The progress of background work. */
export interface RoundState {
  readonly isRunning: boolean;
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** The item in progress. */
  readonly current: string;
  readonly startedAtMs: number;
  /** When it ended; 0 while it is running. */
  readonly finishedAtMs: number;
  readonly isStopped: boolean;
}

interface RoundWork<Item> {
  readonly items: readonly Item[];
  nameOf(item: Item): string;
  /** How many at once; one if missing. */
  readonly atOnce?: number;
  /** @returns whether it succeeded; throwing counts as failure */
  act(item: Item): Promise<boolean>;
  /** Called after the last item, also after a stop. */
  finish?(state: RoundState): Promise<void>;
}

/** Works through a list in the background, one item at a time or a few; only one run at a time. */
export class Round {
  readonly #clock: Clock;
  readonly #log: Log;
  #state: RoundState | undefined;
  #running: Promise<void> | undefined;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** The state of the current or last run; undefined if it never ran. */
  get state(): RoundState | undefined {
    return this.#state;
  }

  /**
   * Starts a run and returns at once.
   * @returns false if one is already running
   */
  start<Item>(work: RoundWork<Item>): boolean {
    if (this.#running !== undefined) return false;
    this.#state = {
      isRunning: true,
      done: 0,
      total: work.items.length,
      failed: 0,
      current: '',
      startedAtMs: this.#clock.now(),
      finishedAtMs: 0,
      isStopped: false,
    };
    this.#running = this.#run(work)
      .catch((error: unknown) => this.#log.error('background work failed', { error }))
      .finally(() => {
        this.#running = undefined;
      });
    return true;
  }

  /** Finishes what is in progress and starts no more. Resolves when that is done. */
  async stop(): Promise<void> {
    if (this.#running === undefined) return;
    this.#change({ isStopped: true });
    await this.#running;
  }

  #change(changes: Partial<RoundState>): void {
    if (this.#state !== undefined) this.#state = { ...this.#state, ...changes };
  }

  async #run<Item>(work: RoundWork<Item>): Promise<void> {
    const left = work.items.values();
    const worker = async (): Promise<void> => {
      for (const item of left) {
        if (this.#state?.isStopped === true) break;
        this.#change({ current: work.nameOf(item) });
        const isGood = await work.act(item).catch(() => false);
        const { done = 0, failed = 0 } = this.#state ?? {};
        this.#change({ done: done + 1, failed: failed + (isGood ? 0 : 1) });
      }
    };
    await Promise.all(Array.from({ length: work.atOnce ?? 1 }, worker));
    this.#change({ isRunning: false, current: '', finishedAtMs: this.#clock.now() });
    if (this.#state !== undefined) await work.finish?.(this.#state);
  }
}
