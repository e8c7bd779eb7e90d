import type { AppError } from '#core/error.ts';
import type { Decision } from '#core/channel/selection/select.ts';
import type { LoadedFile } from '../dialects/form/form.ts';
import type { ModelRatePlace } from '#core/limits/model-rate-limiter.ts';
import { type Meter, newMeter } from './bill/meter.ts';
import type { RollingHold } from './bill/hold/rolling-hold.ts';
import { Outlet } from './answer/outlet.ts';
import type { Frame } from '../dialects/frame.ts';
import type { Queued } from './route/seat-rooms.ts';
import type { RelayCall } from './calls.ts';
import type { LiveAttempt } from './live-attempt.ts';
import type { Attempt, Destination } from './destination.ts';

/** Stages of a background response: requested, its id known, and no longer handled by the call. */
export type BackgroundStage = 'asked' | 'accepted' | 'detached';

/** The mutable state of a call. */
export class Live {
  readonly outlet: Outlet;
  /** Its index among the running calls; −1 if it is not among them. */
  place = -1;

  /** Whether metrics count it as a stream; undefined until the request is read. */
  isCountedAsStream: boolean | undefined;
  /** Frees what another thread holds for this call. */
  release: (() => void) | undefined;
  /** Its place in the limit of successful calls, until it is known whether it succeeds. */
  ratePlace: ModelRatePlace | undefined;
  background: BackgroundStage | undefined;
  holdState: 'none' | 'open' | 'closed' = 'none';
  /** The hold of a stream, which grows; undefined for calls that hold all they may cost. */
  rolling: RollingHold | undefined;
  /** The amount held for a complete form, if it is more than was held for its beginning. */
  grownUnits: number | undefined;
  /** The frame before which the answer was ended, because the hold could not grow any more. */
  cutBefore: Frame | undefined;
  /** Some of that frame's words were paid, and shown. */
  isPartShown = false;
  /** What was paid for a whole answer, and what it costs beyond that: its payer had no more. */
  chargedUnits = 0;
  lostUnits = 0;
  /** Resolves once the cost of the call is recorded; undefined until the call is about to end. */
  closing: Promise<void> | undefined;

  /** The current attempt, or the one whose answer the caller gets. */
  attempt: LiveAttempt | undefined;
  /** The attempts that have neither answered nor failed; two while they race. */
  running: readonly LiveAttempt[] = [];
  attempts: Attempt[] = [];
  /** Why no channel could be chosen. */
  undecided: Decision | undefined;
  /** The files of a form; loaded only if an upstream wants them inside JSON. */
  files: readonly LoadedFile[] | undefined;
  /** Send without thought signatures, because an upstream has refused those of earlier turns. */
  isUnsigned = false;

  /** Created on first use, because a whole answer brings its own. */
  #meter: Meter | undefined;
  /**
   * Milliseconds from the beginning of the call until it was read and admitted, had its hold, and had its first bytes.
   */
  readMs: number | undefined;
  heldMs: number | undefined;
  firstByteMs: number | undefined;
  /** The number of the answer's containers that are already recorded as its caller's. */
  notedContainers = 0;
  /** The ids under which the upstream keeps a stream, whose length is known at its end. */
  keptAs: readonly (string | undefined)[] | undefined;
  /** The parsed whole reply, if it reported no usage. */
  wholeReply: object | undefined;

  /** Why the call was ended from outside: the server stops, or the caller left or reads too slowly. */
  stopped: AppError | undefined;
  /** How it waited for room at a channel, if it did. */
  queued: Queued | undefined;
  /** Another attempt was wanted, but similar calls had been retried too often. */
  isOverBudget = false;
  /** The error of the call or of its last attempt, if any. */
  failure: AppError | undefined;

  /** @param aheadMax stream pieces that may wait for a slow caller */
  constructor(call: Pick<RelayCall, 'reply' | 'framing'>, aheadMax: number) {
    this.outlet = new Outlet(call, aheadMax);
  }

  /** The channel being tried, or whose answer the caller gets. */
  get destination(): Destination | undefined {
    return this.attempt?.destination;
  }

  /** What was counted of the answer. */
  get meter(): Meter {
    return (this.#meter ??= newMeter());
  }

  set meter(meter: Meter) {
    this.#meter = meter;
  }

  get isAborted(): boolean {
    return this.stopped !== undefined;
  }

  /** Ends the call from outside: aborts the upstream requests; whoever waits for it gets `why`. */
  stop(why: AppError): void {
    this.stopped ??= why;
    for (const attempt of this.running) attempt.abort.abort();
    this.attempt?.abort.abort();
  }
}
