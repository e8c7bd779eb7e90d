import type { AppError } from '#core/error.ts';
import type { Decision } from '#core/channel/select.ts';
import type { LoadedFile } from '../dialects/form.ts';
import type { ModelRatePlace } from '#core/model-rate-limiter.ts';
import { type Meter, newMeter } from './bill/meter.ts';
import type { RollingHold } from './bill/rolling-hold.ts';
import { Outlet } from './answer/outlet.ts';
import type { Frame } from '../dialects/frame.ts';
import type { Queued } from './route/seat-rooms.ts';
import type { RelayCall } from './calls.ts';
import type { LiveAttempt } from './live-attempt.ts';
import type { Attempt, Trial } from './trial.ts';

/** Stages of a background response: requested, its id known, and no longer handled by the call. */
export type BackgroundStage = 'asked' | 'accepted' | 'detached';

/** The mutable state of a call. */
export class Live {
  readonly outlet: Outlet;
  /** Among the running calls. */
  place = -1;

  /** Whether metrics count it as a stream; undefined until the request is read. */
  isCountedAsStream: boolean | undefined;
  /** Frees what another thread holds for this call. */
  release: (() => void) | undefined;
  /** Its slot in the limit of successful calls, until it is known whether it succeeds. */
  ratePlace: ModelRatePlace | undefined;
  background: BackgroundStage | undefined;
  holdState: 'none' | 'open' | 'closed' = 'none';
  /** The hold of a stream that grows; undefined for calls that hold all they may cost. */
  rolling: RollingHold | undefined;
  /** What is held for a form since it is whole, if that is more than its beginning was held for. */
  grownUnits: number | undefined;
  /** The answer was ended before this frame, because the hold could not grow any more. */
  cutBefore: Frame | undefined;
  /** Resolves when what the call costs is written down; undefined until its end is in sight. */
  closing: Promise<void> | undefined;

  /** The attempt that is made, or whose answer the caller gets. */
  attempt: LiveAttempt | undefined;
  /** The attempts that have neither answered nor failed; two while they race. */
  running: readonly LiveAttempt[] = [];
  attempts: Attempt[] = [];
  /** Why no channel was left, when none was. */
  undecided: Decision | undefined;
  /** The files of a form, loaded once an upstream wants them inside JSON. */
  files: readonly LoadedFile[] | undefined;
  /** Sent without thought signatures: an upstream has refused those of earlier turns. */
  isUnsigned = false;

  meter: Meter = newMeter();
  /** When it was read and admitted, when its hold was there, and when it had its first bytes; from its beginning. */
  readMs: number | undefined;
  heldMs: number | undefined;
  firstByteMs: number | undefined;
  /** Of the containers that the answer told of, how many are noted as its caller's. */
  notedContainers = 0;
  /** The whole reply as it was read, if it reported no usage. */
  wholeReply: object | undefined;

  /** Why it was ended from outside: the server stops, or the caller left or reads too slowly. */
  stopped: AppError | undefined;
  /** It waited for room at a channel. */
  queued: Queued | undefined;
  /** Another attempt was due, and calls like this one had too many already. */
  isOverBudget = false;
  /** The error of the call or of its last attempt, if any. */
  failure: AppError | undefined;

  /** @param aheadMax stream pieces that may wait for a slow caller */
  constructor(call: Pick<RelayCall, 'reply' | 'framing'>, aheadMax: number) {
    this.outlet = new Outlet(call, aheadMax);
  }

  /** The channel being tried, or whose answer the caller gets. */
  get trial(): Trial | undefined {
    return this.attempt?.trial;
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
