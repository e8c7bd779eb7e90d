import type { Channel } from '#core/channel/channel.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import { tooLate } from '#core/channel/health/patience.ts';
import { isWorthAnother, withMappedStatus } from '#core/channel/health/retry.ts';
import type { Decision } from '#core/channel/selection/select.ts';
import { type AppError, asAppError } from '#core/error.ts';
import {
  answeredFirst,
  noteAnswer,
  noteBegun,
  noteFailure,
  noteFound,
  noteLost,
  noteOvertaken,
  type TryDeps,
} from './attempt-notes.ts';
import { healthName } from './health/health-node.ts';
import { Deadline, findsOut } from './haste.ts';
import { NextSeats } from './next-seats.ts';
import { type End, firstEnd, type Runner } from './running-attempts.ts';
import { SecondOpinions } from './second-opinions.ts';
import type { Tries } from './tries.ts';
import { TriesLeft } from './tries-left.ts';
import { withoutSecrets } from '../answer/mask.ts';
import { LiveAttempt } from '../live-attempt.ts';
import type { Chosen } from '../destination.ts';

/** How often to look again at channels that were full. */
const LOOK_AGAIN_MS = 250;
/** Until an attempt asks. */
const NEVER = new Promise<never>(() => undefined);
/** The most attempts of one call that run at the same time. */
const MOST_RUNNING = 2;

/**
 * Tries channels until one answers. Records each attempt in the log, the channel's health and the metrics, and disables
 * a channel whose error is permanent. Throws the last failure if no channel is left, a retry is pointless, or similar
 * calls were retried too often.
 */
export const tryChannels = <Value, Try extends Chosen>(
  deps: TryDeps,
  tries: Tries<Value, Try>,
): Promise<Value> => new ChannelRun(deps, tries).run();

const errorOf = ({ destination }: LiveAttempt<Chosen>, thrown: unknown): AppError =>
  withMappedStatus(withoutSecrets(asAppError(thrown), destination.secrets), destination.channel);

/** The attempts of one call: one after the other, or two at once if hedged. */
class ChannelRun<Value, Try extends Chosen> {
  readonly #deps: TryDeps;
  readonly #tries: Tries<Value, Try>;
  readonly #seats: NextSeats<Value, Try>;
  #runners: readonly Runner<Value, Try>[] = [];
  /** Needed only once something has failed. */
  #left: TriesLeft | undefined;
  #opinions: SecondOpinions<Try> | undefined;
  readonly #deadline: Deadline;

  constructor(deps: TryDeps, tries: Tries<Value, Try>) {
    this.#deps = deps;
    this.#tries = tries;
    this.#seats = new NextSeats(deps.health, (tried, ifFull) => tries.choose(tried, ifFull));
    this.#deadline = new Deadline(tries);
  }

  async run(): Promise<Value> {
    const tries = this.#tries;
    const nowMs = this.#nowMs;
    tries.budget?.note(nowMs);
    const chosen = this.#seats.first();
    // No needless `await` here: among calls that begin together, each must see where the one before it went.
    const decision = chosen instanceof Promise ? await chosen : chosen;
    if (decision.channel === undefined) throw tries.book.failure ?? tries.nobody(decision);
    this.#begin(decision, decision.channel, chosen === decision ? nowMs : this.#nowMs);
    try {
      for (;;) {
        const end = await this.#nextEnd();
        if (end === 'late') await this.#hurry();
        else if ('value' in end) return this.#win(end.runner, end.value);
        else await this.#fail(end.runner, end.thrown);
      }
    } catch (thrown) {
      const why = asAppError(thrown);
      for (const runner of this.#runners) this.#drop(runner, why);
      const refused = this.#opinions?.ended(tries.book.failure);
      if (refused === undefined) throw thrown;
      tries.book.attempt = refused.attempt;
      tries.book.failure = refused.error;
      throw refused.error;
    }
  }

  get #nowMs(): number {
    return this.#deps.clock.monotonic();
  }

  #begin(decision: Decision, channel: Channel, nowMs = this.#nowMs): void {
    const tries = this.#tries;
    this.#seats.begun(channel);
    const destination = tries.begin({ decision, channel, secrets: secretsOf(channel) });
    const attempt = new LiveAttempt(destination, nowMs);
    if (tries.book.stopped !== undefined) attempt.abort.abort();
    tries.book.attempt = attempt;
    noteBegun(this.#deps, tries, attempt);
    this.#deadline.set(attempt);
    const runner: Runner<Value, Try> = { attempt, isOver: false, ended: NEVER };
    // The attempt counts as running before it asks the channel.
    this.#setRunners(this.#runners.length === 0 ? [runner] : [...this.#runners, runner]);
    runner.ended = this.#ask(runner);
  }

  async #ask(runner: Runner<Value, Try>): Promise<End<Value, Try>> {
    const tries = this.#tries;
    try {
      const value = await tries.ask(runner.attempt);
      runner.isOver = true;
      tries.ended?.(runner.attempt, 'answered');
      return { runner, value };
    } catch (thrown) {
      runner.isOver = true;
      tries.ended?.(runner.attempt, 'failed');
      return { runner, thrown };
    }
  }

  #setRunners(runners: readonly Runner<Value, Try>[]): void {
    this.#runners = runners;
    this.#tries.book.running = runners.map(({ attempt }) => attempt);
  }

  #remove(gone: Runner<Value, Try>): void {
    this.#setRunners(this.#runners.filter((runner) => runner !== gone));
  }

  /** Waits for the next attempt to end, or returns `late` if the newest has been silent for too long. */
  #nextEnd(): Promise<End<Value, Try> | 'late'> {
    const newest = this.#runners.at(-1);
    if (newest === undefined) throw new Error('no attempt runs');
    const lateAtMs = this.#deadline.lateAtMs(newest.attempt.startedMs);
    if (lateAtMs !== undefined) return firstEnd(this.#runners, Math.max(1, lateAtMs - this.#nowMs));
    return this.#runners.length === 1 ? newest.ended : firstEnd(this.#runners);
  }

  /**
   * Handles a late attempt: another channel begins, beside it or in its place. If there is none, the running attempts
   * lose their deadline; if all others are full, or the budget is used up, looks again later.
   */
  async #hurry(): Promise<void> {
    const tries = this.#tries;
    const { book } = tries;
    const deadlineMs = this.#deadline.passed();
    const decision = book.stopped === undefined ? await this.#seats.beside(book.running) : undefined;
    if (this.#runners.some(({ isOver }) => isOver)) {
      this.#deadline.again(deadlineMs);
      return decision?.lease?.end('nothing sent');
    }
    const isFull = decision?.leftOut.some(({ reason }) => reason === 'no_room');
    if (decision?.channel === undefined && isFull === true)
      return this.#deadline.again(deadlineMs, this.#nowMs + LOOK_AGAIN_MS);
    if (decision?.channel === undefined || decision.coolingTaken) {
      this.#deadline.end();
      return decision?.lease?.end('nothing sent');
    }
    if (!this.#takes()) {
      decision.lease?.end('nothing sent');
      return this.#deadline.again(deadlineMs, this.#nowMs + deadlineMs);
    }
    const late = tooLate(tries.answer === 'whole' ? 'end' : 'event', deadlineMs);
    for (const { attempt } of this.#runners) {
      attempt.late ??= late;
      const { id } = attempt.destination.channel;
      if (id !== decision.channel.id && !this.#seats.isSilentAlone(attempt)) this.#seats.leave(id);
    }
    const [oldest] = this.#runners;
    if (oldest !== undefined && !this.#mayRace(oldest)) this.#drop(oldest, late);
    this.#deadline.used();
    this.#begin(decision, decision.channel);
    if (this.#runners.length > 1) for (const { attempt } of this.#runners) attempt.isRacing = true;
  }

  /** Whether a late attempt goes on beside another: if the operator wants that, or if it probes its channel. */
  #mayRace({ attempt }: Runner<Value, Try>): boolean {
    const { haste } = this.#tries;
    if (this.#runners.length >= MOST_RUNNING) return false;
    return findsOut(this.#tries, attempt) || (haste?.hedges === true && haste.takesHedge(this.#nowMs));
  }

  /** Takes one retry from the budget of similar calls; false if it is used up. */
  #takes(): boolean {
    const { budget, options, book, userId } = this.#tries;
    const percent = options['upstream_setting.retry_percent'];
    if (budget?.takes(percent, this.#nowMs, userId) !== false) return true;
    book.isOverBudget = true;
    return false;
  }

  #win(runner: Runner<Value, Try>, value: Value): Value {
    const { book, haste } = this.#tries;
    const { attempt } = runner;
    this.#remove(runner);
    for (const other of this.#runners) {
      if (other.attempt.late !== undefined && findsOut(this.#tries, other.attempt)) this.#watch(other);
      else this.#drop(other, answeredFirst());
    }
    noteAnswer(this.#deps, this.#tries, attempt);
    this.#opinions?.answered(attempt.destination.channel);
    book.attempt = attempt;
    haste?.answered(this.#nowMs - attempt.startedMs);
    return value;
  }

  /** Begins the next attempt after a failed one, unless another still runs. Throws if the call has failed. */
  async #fail(runner: Runner<Value, Try>, thrown: unknown): Promise<void> {
    const tries = this.#tries;
    const { book, canRepeat } = tries;
    const { attempt } = runner;
    this.#remove(runner);
    attempt.close();
    const { channel } = attempt.destination;
    const error = book.stopped ?? errorOf(attempt, thrown);
    this.#opinions ??= new SecondOpinions(this.#deps, tries);
    const blame = book.stopped === undefined ? this.#opinions.blame(attempt, error) : 'as told';
    const isDoubted = blame === 'later';
    const isRefused = noteFailure(this.#deps, tries, attempt, error, blame);
    tries.fail?.(attempt, error);
    book.attempt = attempt;
    const mayBeOfKey = isRefused || (error.upstream === undefined && this.#seats.mayBeSilentAlone(attempt));
    const isOfKey = isRefused || (mayBeOfKey && this.#seats.isSilentAlone(attempt));
    if (!isOfKey && !(isDoubted && channel.keyId !== 0)) this.#seats.leave(channel.id);
    const isWorth =
      isDoubted || (tries.judge?.(error).another ?? isWorthAnother(error, { ...channel, canRepeat }));
    if (book.stopped !== undefined || !isWorth) throw error;
    const other = this.#runners.at(-1);
    if (other !== undefined) {
      book.attempt = other.attempt;
      if (other.attempt.isProbe) this.#deadline.set(other.attempt);
      return;
    }
    const tookMs = this.#nowMs - attempt.startedMs;
    this.#left ??= new TriesLeft(tries);
    const taken = this.#left.take(error, { mayBeOfKey, tookMs, isProbe: attempt.isProbe, isDoubted });
    if (taken === undefined) throw error;
    const decision = await (isDoubted ? this.#seats.opinion(attempt) : this.#seats.after(attempt, error));
    const isOtherKey = taken === 'key' && isRefused && !decision.coolingTaken;
    if (decision.channel === undefined || !this.#isInBudget(decision.channel, isOtherKey)) {
      decision.lease?.end('nothing sent');
      throw error;
    }
    this.#begin(decision, decision.channel);
  }

  /**
   * Whether the budget of similar calls allows a retry. Retries with other keys of a channel count but are always
   * allowed: a refused key is avoided for a while, so they come to an end (unless only cooling keys are left). Retries
   * at a channel that answers at present are always allowed too, because retries do harm only where everything fails.
   */
  #isInBudget(channel: Channel, isOtherKey: boolean): boolean {
    const { model, operation } = this.#tries;
    const isAnswering = this.#seats.isAnswering(channel, healthName(model, operation), this.#nowMs);
    if (!isOtherKey && !isAnswering) return this.#takes();
    this.#tries.budget?.spend(this.#nowMs);
    return true;
  }

  /**
   * Lets a probe go on alone after another channel has answered. Otherwise a channel that is slower than others would
   * never be found to work again.
   */
  #watch(runner: Runner<Value, Try>): void {
    const tries = this.#tries;
    const { attempt } = runner;
    this.#remove(runner);
    noteOvertaken(this.#deps, tries, attempt);
    void runner.ended.then((end) => {
      const error = 'thrown' in end ? errorOf(attempt, end.thrown) : undefined;
      noteFound(this.#deps, tries, attempt, error);
      attempt.close();
      if (error !== undefined) return tries.fail?.(attempt, error);
      attempt.givenUp = answeredFirst();
      tries.drop?.(attempt, 'value' in end ? end.value : undefined);
    });
  }

  /** Stops a running attempt. Whoever receives its end records it for the channel. */
  #drop(runner: Runner<Value, Try>, why: AppError): void {
    const tries = this.#tries;
    const { attempt } = runner;
    this.#remove(runner);
    if (why === attempt.late || tries.book.stopped !== undefined)
      noteFailure(this.#deps, tries, attempt, why);
    else noteLost(this.#deps, tries, attempt, why);
    // If the caller left, the attempt is ended by the rule for callers who leave, not as a loser.
    if (tries.book.stopped === undefined) attempt.giveUp(why);
    void runner.ended.then((end) => {
      attempt.close();
      tries.drop?.(attempt, 'value' in end ? end.value : undefined);
    });
  }
}
