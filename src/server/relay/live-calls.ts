import { translatedRefusal } from '#core/translated-refusal.ts';
import { AwakeClock } from '#core/time/awake-clock.ts';
import { tooLate } from '#core/channel/health/patience.ts';
import { AppError } from '#core/error.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { Clock } from '#core/clock.ts';
import { HOLD_LIFE_MS } from './bill/hold/hold.ts';
import type { Live } from './live.ts';
import { progressOf } from './bill/meter.ts';
import { streamHeaders } from './answer/repeat.ts';
import type { Begun, Held } from './stages.ts';
import { saveUnits } from './bill/settle.ts';

const TICK_MS = 1000;
const CHECKPOINT_MS = 10_000;
/** About two thousand tokens of text. */
const CHECKPOINT_BYTES = 8000;
const PING = Buffer.from(': ping\n\n');
/** Whitespace between list items is ignored. */
const LIST_PING = Buffer.from('\n');
/**
 * A stream in a format without an end mark ends right after its last event. If its connection stays open, we wait this
 * long.
 */
const END_WAIT_MS = 1000;
/** The time that calls ended by `stop` get to record what they cost. */
const AFTER_CUT_MS = 5000;

/** The error for calls that arrive or are still running when the server stops. */
export const restarting = (): AppError =>
  translatedRefusal('unavailable', 'relay_restarting', {}, { retryAfterSeconds: 5 });

interface LiveCallsDeps {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'checkpoint'>;
}

/**
 * The running calls. One timer checks all of them once a second, so that no call needs its own: it sends pings while an
 * upstream thinks, and checkpoints the cost of long streams.
 */
export class LiveCalls {
  /**
   * An array in which each call knows its index. A `Set` would rebuild its table all the time; V8 links each table to
   * the next, so that an old one keeps all later tables and their calls alive until the next full garbage collection.
   */
  readonly #calls: Begun[] = [];
  readonly #deps: LiveCallsDeps;
  readonly #timer: NodeJS.Timeout;
  readonly #awake: AwakeClock;
  #whenEmpty: (() => void) | undefined;
  isStopping = false;

  constructor(deps: LiveCallsDeps) {
    this.#deps = deps;
    this.#awake = new AwakeClock(TICK_MS, deps.clock.monotonic());
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  add(call: Begun): void {
    call.live.place = this.#calls.push(call) - 1;
  }

  delete({ live: { place } }: Begun): void {
    const last = this.#calls.pop();
    if (last !== undefined && place < this.#calls.length) {
      this.#calls[place] = last;
      last.live.place = place;
    }
    if (this.#calls.length === 0) this.#whenEmpty?.();
  }

  /** Saves what a stream has cost so far, if it has advanced far enough since the last checkpoint. */
  readonly checkpoint = (held: Held, nowMs: number): void => {
    const { meter } = held.live;
    const isFirst = meter.checkpointMs === 0;
    if (
      !isFirst &&
      meter.outputBytes - meter.checkpointBytes < CHECKPOINT_BYTES &&
      nowMs - meter.checkpointMs < CHECKPOINT_MS
    )
      return;
    meter.checkpointMs = nowMs;
    meter.checkpointBytes = meter.outputBytes;
    saveUnits(this.#deps, held);
  };

  /** Ends every call that is running. */
  endAll(why: AppError): void {
    for (const { live } of this.#calls.slice()) live.stop(why);
  }

  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    await this.#emptyWithin(graceMs);
    this.endAll(restarting());
    await this.#emptyWithin(AFTER_CUT_MS);
    clearInterval(this.#timer);
  }

  async #emptyWithin(waitMs: number): Promise<void> {
    if (this.#calls.length === 0) return;
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
    for (const begun of this.#calls.slice()) {
      const { live, startedMs } = begun;
      // Callers that stop reading are cut off by the front door, which knows how much was sent.
      if (!live.outlet.isStalled) ping(begun, nowMs);
      if (live.outlet.isListening && nowMs - live.outlet.lastWriteMs >= END_WAIT_MS) live.outlet.releaseEnd();
      if (nowMs - startedMs > HOLD_LIFE_MS - 60_000) {
        live.stop(new AppError('upstream_timeout', 'the call has been running for a day'));
      }
    }
    // Runs after sockets were read, so that received data counts as progress.
    setImmediate(this.#judge);
  }

  readonly #judge = (): void => {
    for (const { live } of this.#calls.slice()) stopStanding(live, this.#awake.nowMs);
  };
}

/** A stream may pause no longer than a whole reply may take, even if its upstream keeps sending pings. */
const stopStanding = (live: Live, awakeMs: number): void => {
  const { outlet, meter, destination, background } = live;
  const patience = destination?.sentAs?.patience;
  if (patience === undefined || background !== undefined) return;
  const progress = progressOf(meter);
  const { isListening, isStalled, lacksOnlyEnd } = outlet;
  if (!isListening || isStalled || lacksOnlyEnd || progress !== outlet.progress) {
    outlet.progress = progress;
    outlet.standsSinceMs = awakeMs;
  } else if (awakeMs - outlet.standsSinceMs >= patience.wholeMs)
    live.stop(tooLate('silence', patience.wholeMs));
};

/**
 * A comment keeps connections open while the upstream thinks. The first one fixes the status at 200, so later failures
 * are sent as stream events. Other channels can still be tried, because no part of an answer was sent.
 */
const ping = ({ live, call }: Begun, nowMs: number): void => {
  const { outlet } = live;
  const { pingEveryMs, insideEvent, lastWriteMs } = outlet;
  if (pingEveryMs === undefined || insideEvent || nowMs - lastWriteMs < pingEveryMs) return;
  const { reply } = call;
  if (reply.gone) return;
  if (!reply.started) reply.start(200, streamHeaders(outlet));
  outlet.lastWriteMs = nowMs;
  reply.write(outlet.list === undefined ? PING : LIST_PING);
};
