import type { AppError } from '#core/error.ts';
import { GiveUp } from '#core/outbound/give-up.ts';
import type { Meter } from './bill/meter.ts';
import type { SeatPulse } from './route/live-pulses.ts';
import type { Chosen, Destination } from './destination.ts';

/**
 * One attempt at one channel while it runs. Two attempts of a call may run at once, so all state that an attempt
 * changes is here. The call takes over the attempt whose answer its caller gets. Times are monotonic.
 */
export class LiveAttempt<Try extends Chosen = Destination> {
  /** Replaced by a fuller one as more becomes known. */
  destination: Try;
  readonly startedMs: number;
  /** Aborts whatever is still open for this attempt. */
  readonly abort = new GiveUp();
  /** The memory that its answer takes. */
  room: { release(): void } | undefined;
  /** When its request got a connection, and when the head of the reply arrived. */
  connectedMs: number | undefined;
  headMs: number | undefined;
  /** The meter of an answer that is not passed on to anybody. */
  meter: Meter | undefined;
  /** What the upstream has answered of a delivery of several calls that failed, though it has done some of the work. */
  unfinished: object | undefined;
  /** The error for a late first token; set once its deadline has passed. */
  late: AppError | undefined;
  /** Tokens it used; undefined if that is not known. */
  usedTokens: number | undefined;
  /** Where the live board counts this attempt. */
  pulse: SeatPulse | undefined;
  /** Its channel kept failing when it was chosen. */
  isProbe = false;
  /** This attempt is the trial of its key. */
  isKeyTrial = false;
  /** Another attempt of the call ran at the same time. */
  isRacing = false;
  /** Its upstream may have received the request. */
  isSent = false;
  /** Why it was stopped while it still ran. */
  givenUp: AppError | undefined;
  /** Whether the live board no longer counts it as running. */
  #isOver = false;

  constructor(destination: Try, startedMs: number) {
    this.destination = destination;
    this.startedMs = startedMs;
  }

  /** Stops the attempt: it ends with this error, unless it has just answered. */
  giveUp(why: AppError): void {
    this.givenUp = why;
    this.abort.abort(why);
  }

  /** Tells the live board that it no longer runs. */
  leavePulse(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.pulse?.left();
  }

  /**
   * Called once when a call to this channel is over. An object instead of a function, because V8 would keep a closure
   * assigned here in memory for long.
   */
  pace: { ended(channelId: number): void } | undefined;

  /** Frees what the attempt holds: nobody needs its answer any more. */
  close(): void {
    this.room?.release();
    this.destination.decision.lease?.end(this.usedTokens);
    this.leavePulse();
    this.pace?.ended(this.destination.channel.id);
    this.pace = undefined;
  }
}
