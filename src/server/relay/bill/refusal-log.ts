import type { Clock } from '#core/clock.ts';
import type { CallLog } from '#core/log/log.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Log } from '#core/logging.ts';
import type { Caller } from '../request/request.ts';

const EVERY_MS = 60_000;
const MOST_PAYERS = 10_000;

interface Payer {
  readonly rowAtMs: number;
  /** The number of refusals since the last row. */
  more: number;
}

/**
 * Logs calls refused for lack of quota. A program that keeps asking leaves one row a minute for its token; the next row
 * says how many refusals there were in between.
 */
export class RefusalLog {
  readonly #deps: { readonly logs: Pick<LogStore, 'appendCall'>; readonly clock: Clock; readonly log: Log };
  readonly #payers = new Map<string, Payer>();

  constructor(deps: {
    readonly logs: Pick<LogStore, 'appendCall'>;
    readonly clock: Clock;
    readonly log: Log;
  }) {
    this.#deps = deps;
  }

  /** Resolves when the row is written. Never rejects: the caller gets the refusal in any case. */
  async note(
    { user, token }: Pick<Caller, 'user' | 'token'>,
    rowOf: (refusedBefore: number) => CallLog,
  ): Promise<void> {
    const { logs, clock, log } = this.#deps;
    const key = `${String(user.id)} ${String(token?.id ?? 0)}`;
    const nowMs = clock.monotonic();
    const payer = this.#payers.get(key);
    if (payer !== undefined && nowMs - payer.rowAtMs < EVERY_MS) {
      payer.more += 1;
      return;
    }
    this.#payers.delete(key);
    if (this.#payers.size >= MOST_PAYERS) this.#forgetOldest();
    this.#payers.set(key, { rowAtMs: nowMs, more: 0 });
    try {
      await logs.appendCall(rowOf(payer?.more ?? 0));
    } catch (error) {
      log.error('the row of a refusal could not be written', { user: user.id, error });
    }
  }

  #forgetOldest(): void {
    const oldest = this.#payers.keys().next();
    if (!oldest.done) this.#payers.delete(oldest.value);
  }
}
