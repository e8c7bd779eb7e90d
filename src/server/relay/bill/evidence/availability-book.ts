import type { AvailabilityStore } from '#core/availability/availability.ts';
import { AvailabilitySums, type EndedCall } from '#core/availability/availability-sums.ts';
import type { Log } from '#core/logging.ts';

const WRITE_AFTER_MS = 10_000;
/** With more sums than this, they are written at once. */
const MOST_SUMS = 2000;

/** Counts answered and failed calls in memory, and adds them to the store from time to time. A crash loses seconds. */
export class AvailabilityBook {
  readonly #store: Pick<AvailabilityStore, 'add'>;
  readonly #log: Log;
  #sums = new AvailabilitySums();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Pick<AvailabilityStore, 'add'>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Takes a few lookups. */
  note(call: EndedCall): void {
    this.#sums.add(call);
    if (this.#sums.size > MOST_SUMS) void this.flush();
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  /** Writes what was counted. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = this.#sums.rows();
    this.#sums = new AvailabilitySums();
    if (rows.length === 0) return;
    try {
      await this.#store.add(rows);
    } catch (error) {
      this.#log.error('the availability of models could not be written', { error, rows: rows.length });
    }
  }
}
