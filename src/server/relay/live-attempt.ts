import type { AppError } from '#core/error.ts';
import type { Meter } from './bill/meter.ts';
import type { SeatPulse } from './route/live-pulses.ts';
import type { Chosen, Trial } from './trial.ts';

/**
 * One attempt at one channel while it runs. Two of a call may run at once, so whatever an attempt changes is here; the
 * call takes over the one whose answer its caller gets. Times are monotonic.
 */
export class LiveAttempt<Try extends Chosen = Trial> {
  /** Replaced by a fuller one as more becomes known. */
  trial: Try;
  readonly startedMs: number;
  /** Aborts what is still open of it. */
  readonly abort = new AbortController();
  /** The memory of its answer. */
  room: { release(): void } | undefined;
  /** When its request had a connection, and when the upstream's head came. */
  connectedMs: number | undefined;
  headMs: number | undefined;
  /** What was counted of an answer that is not given to anybody. */
  meter: Meter | undefined;
  /** Set once its first token is later than it may be. */
  late: AppError | undefined;
  /** What it used; undefined if that is not known. */
  usedTokens: number | undefined;
  /** Where the live board counts it. */
  pulse: SeatPulse | undefined;
  /** It is the one call that tries its key after a wait. */
  isKeyTrial = false;
  /** Another attempt of the call ran at the same time. */
  isRacing = false;
  /** Its upstream may have read the request. */
  isSent = false;
  /** Why it was given up while it still ran. */
  givenUp: AppError | undefined;
  /** The live board no longer counts it as running. */
  #isOver = false;

  constructor(trial: Try, startedMs: number) {
    this.trial = trial;
    this.startedMs = startedMs;
  }

  /** Stops it: it ends with this error, unless it has just answered. */
  giveUp(why: AppError): void {
    this.givenUp = why;
    this.abort.abort(why);
  }

  /** It no longer runs. */
  leavePulse(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.pulse?.left();
  }

  /** Told once that a call to this channel is over. No function: one assigned here would be kept for long. */
  pace: { ended(channelId: number): void } | undefined;

  /** Nobody needs its answer any more. */
  close(): void {
    this.room?.release();
    this.trial.decision.lease?.end(this.usedTokens);
    this.leavePulse();
    this.pace?.ended(this.trial.channel.id);
    this.pace = undefined;
  }
}
