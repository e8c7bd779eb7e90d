import type { AppError } from '#core/error.ts';
import type { Decision } from '#core/channel/select.ts';
import type { LoadedFile } from '../dialects/form.ts';
import type { ModelRatePlace } from '#core/model-rate-limiter.ts';
import { type Meter, newMeter } from './bill/meter.ts';
import type { AnswerShare } from './answer/answer-room.ts';
import type { RollingHold } from './bill/rolling-hold.ts';
import { Outlet } from './answer/outlet.ts';
import type { Frame } from '../dialects/frame.ts';
import type { RelayCall } from './calls.ts';
import type { Attempt, Trial } from './trial.ts';

/** Stages of a background response: requested, its id known, and no longer handled by the call. */
export type BackgroundStage = 'asked' | 'accepted' | 'detached';

/** The mutable state of a call. */
export class Live {
  readonly outlet: Outlet;
  readonly #abort = new AbortController();
  /** Aborts the running attempt, or the one whose answer the caller gets. */
  #attempt: AbortController | undefined;

  /** Whether metrics count it as a stream; undefined until the request is read. */
  isCountedAsStream: boolean | undefined;
  /** Frees what another thread holds for this call. */
  release: (() => void) | undefined;
  /** The memory of the answer that is read. */
  answerShare: AnswerShare | undefined;
  /** Its slot in the limit of successful calls, until it is known whether it succeeds. */
  ratePlace: ModelRatePlace | undefined;
  background: BackgroundStage | undefined;
  holdState: 'none' | 'open' | 'closed' = 'none';
  /** The hold of a stream that grows; undefined for calls that hold all they may cost. */
  rolling: RollingHold | undefined;
  /** The answer was ended before this frame, because the hold could not grow any more. */
  cutBefore: Frame | undefined;
  /** Resolves when what the call costs is written down; undefined until its end is in sight. */
  closing: Promise<void> | undefined;

  /** The channel being tried, or whose answer the caller gets. */
  trial: Trial | undefined;
  attempts: Attempt[] = [];
  /** Why no channel was left, when none was. */
  undecided: Decision | undefined;
  /** The files of a form, loaded once an upstream wants them inside JSON. */
  files: readonly LoadedFile[] | undefined;
  /** Sent without thought signatures: an upstream has refused those of earlier turns. */
  isUnsigned = false;

  meter: Meter = newMeter();
  firstByteMs: number | undefined;
  /** The whole reply as it was read, if it reported no usage. */
  wholeReply: object | undefined;

  /** Why it was ended from outside: the server stops, or the caller left or reads too slowly. */
  stopped: AppError | undefined;
  /** The error of the call or of its last attempt, if any. */
  failure: AppError | undefined;

  /** @param aheadMax stream pieces that may wait for a slow caller */
  constructor(call: Pick<RelayCall, 'reply' | 'framing'>, aheadMax: number) {
    this.outlet = new Outlet(call, aheadMax);
  }

  get isAborted(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Ends the call from outside: aborts the upstream request; whoever waits for it gets `why`. */
  stop(why: AppError): void {
    this.stopped ??= why;
    this.#abort.abort();
    this.#attempt?.abort();
  }

  /** Returns a controller that aborts the new attempt; ending the call aborts it too. */
  beginAttempt(): AbortController {
    this.#attempt = new AbortController();
    if (this.isAborted) this.#attempt.abort();
    return this.#attempt;
  }
}
