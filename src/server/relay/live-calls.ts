import { saidRefusal } from '#core/said-refusal.ts';
import { AwakeClock } from '#core/awake-clock.ts';
import { tooLate } from '#core/channel/patience.ts';
import { AppError } from '#core/error.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { Clock } from '#core/clock.ts';
import { HOLD_LIFE_MS } from './hold.ts';
import { chargeOf, progressOf } from './meter.ts';
import { streamHeaders } from './repeat.ts';
import { known, type Running } from './running.ts';
import { unitsOf } from './settle.ts';

const TICK_MS = 1000;
const CHECKPOINT_MS = 10_000;
/** About two thousand tokens of text. */
const CHECKPOINT_BYTES = 8000;
const PING = Buffer.from(': ping\n\n');
/** Space between the items of a list means nothing. */
const LIST_PING = Buffer.from('\n');
/** After calls were cut they only have to write down what they cost. */
const AFTER_CUT_MS = 5000;

/** What a call is told that comes, or is still running, when the server stops. */
export const restarting = (): AppError =>
  saidRefusal('unavailable', 'relay_restarting', {}, { retryAfterSeconds: 5 });

/**
 * The calls that are running. One clock looks after all of them once a second, so that no call has timers of its own:
 * comments while an upstream thinks, what a long stream has cost so far.
 */
export class LiveCalls {
  readonly #calls = new Set<Running>();
  readonly #deps: { readonly clock: Clock; readonly ledger: Ledger };
  readonly #timer: NodeJS.Timeout;
  readonly #awake: AwakeClock;
  #whenEmpty: (() => void) | undefined;
  isStopping = false;

  constructor(deps: { readonly clock: Clock; readonly ledger: Ledger }) {
    this.#deps = deps;
    this.#awake = new AwakeClock(TICK_MS, deps.clock.monotonic());
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  get size(): number {
    return this.#calls.size;
  }

  add(running: Running): void {
    this.#calls.add(running);
  }

  delete(running: Running): void {
    this.#calls.delete(running);
    if (this.#calls.size === 0) this.#whenEmpty?.();
  }

  /** Remembers what a stream has cost once it has moved on far enough since the last time. */
  readonly checkpoint = (running: Running, nowMs: number): void => {
    const { meter } = running;
    const isFirst = meter.checkpointMs === 0;
    if (
      !isFirst &&
      meter.outputBytes - meter.checkpointBytes < CHECKPOINT_BYTES &&
      nowMs - meter.checkpointMs < CHECKPOINT_MS
    )
      return;
    meter.checkpointMs = nowMs;
    meter.checkpointBytes = meter.outputBytes;
    const charge = chargeOf(meter, known(running.asked, 'read').facts.inputTokensEstimate);
    if (charge.action === 'void') return;
    // A checkpoint that is lost costs nothing but accuracy after a crash.
    void this.#deps.ledger
      .checkpoint(running.call.requestId, unitsOf(running, charge.usage))
      .catch(() => undefined);
  };

  /** Ends every call that is running. */
  endAll(why: AppError): void {
    for (const running of this.#calls) running.stop(why);
  }

  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    await this.#emptyWithin(graceMs);
    this.endAll(restarting());
    await this.#emptyWithin(AFTER_CUT_MS);
    clearInterval(this.#timer);
  }

  async #emptyWithin(waitMs: number): Promise<void> {
    if (this.#calls.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#whenEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#whenEmpty = undefined;
  }

  #tick(): void {
    const nowMs = this.#deps.clock.monotonic();
    this.#awake.look(nowMs);
    for (const running of this.#calls) {
      // Somebody who stopped reading is cut off by the front door, which sees what leaves.
      if (!running.outlet.isStalled) ping(running, nowMs);
      if (nowMs - running.startedMs > HOLD_LIFE_MS - 60_000) {
        running.stop(new AppError('upstream_timeout', 'the call has been running for a day'));
      }
    }
    // After the sockets were read.
    setImmediate(this.#judge);
  }

  readonly #judge = (): void => {
    for (const running of this.#calls) stopStanding(running, this.#awake.nowMs);
  };
}

/** A stream may pause for as long as a whole reply takes, whatever signs of life its upstream gives. */
const stopStanding = (running: Running, awakeMs: number): void => {
  const { outlet, meter, patience, background } = running;
  if (patience === undefined || background !== undefined) return;
  const progress = progressOf(meter);
  if (!outlet.isListening || outlet.isStalled || progress !== outlet.progress) {
    outlet.progress = progress;
    outlet.standsSinceMs = awakeMs;
  } else if (awakeMs - outlet.standsSinceMs >= patience.wholeMs)
    running.stop(tooLate('silence', patience.wholeMs));
};

/**
 * A comment keeps connections open while the upstream thinks. The first one fixes the status at 200: from then on a
 * failure can only be told as an event of the stream. Other channels can still be tried, nobody has seen an answer.
 */
const ping = (running: Running, nowMs: number): void => {
  const { outlet } = running;
  const { pingEveryMs, insideEvent, lastWriteMs } = outlet;
  if (pingEveryMs === undefined || insideEvent || nowMs - lastWriteMs < pingEveryMs) return;
  const { reply } = running.call;
  if (reply.gone) return;
  if (!reply.started) reply.start(200, streamHeaders(running));
  outlet.lastWriteMs = nowMs;
  reply.write(outlet.list === undefined ? PING : LIST_PING);
};
