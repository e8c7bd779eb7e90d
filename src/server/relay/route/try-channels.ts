import type { Channel } from '#core/channel/channel.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import { tooLate } from '#core/channel/patience.ts';
import { isSilence, isWorthAnother } from '#core/channel/retry.ts';
import type { TriedSeats } from '#core/channel/open-channels.ts';
import type { Decision } from '#core/channel/select.ts';
import { AppError, asAppError } from '#core/error.ts';
import { noteAnswer, noteFailure, noteLost, type TryDeps } from './attempt-notes.ts';
import { type End, firstEnd, type Runner } from './running-attempts.ts';
import type { Tries } from './tries.ts';
import { withoutSecrets } from '../answer/mask.ts';
import { LiveAttempt } from '../live-attempt.ts';
import type { Chosen } from '../trial.ts';

/** So many further keys may be tried in one call, beside its other tries: a key that is refused costs little time. */
const MOST_KEYS = 8;
/** How many channels a call asks at most because others were silent. */
const MOST_HURRIES = 5;
/** Full channels are looked at again after this. */
const LOOK_AGAIN_MS = 250;
/** How many may work on one call at the same time. */
const MOST_RUNNING = 2;

/**
 * Tries channels until one answers. Records each attempt in the log, the channel's health and the metrics, and disables
 * a channel whose error says that it will not answer again. Throws the last failure if no channel is left, a retry is
 * pointless, or calls like this one were retried too often.
 */
export const tryChannels = <Value, Try extends Chosen>(
  deps: TryDeps,
  tries: Tries<Value, Try>,
): Promise<Value> => new ChannelRun(deps, tries).run();

/** The attempts of one call: one after the other, or two at once where that was wished. */
class ChannelRun<Value, Try extends Chosen> {
  readonly #deps: TryDeps;
  readonly #tries: Tries<Value, Try>;
  readonly #tried = { channels: new Set<number>(), keys: new Set<number>() };
  #runners: readonly Runner<Value, Try>[] = [];
  #retriesLeft: number;
  #silencesLeft: number;
  #keysLeft = MOST_KEYS;
  #hurriesLeft = MOST_HURRIES;
  /** How long the newest attempt may be silent; undefined if it gets all the time it needs. */
  #deadlineMs: number | undefined;
  /** Where all others were full: when they are looked at again. */
  #againAtMs = 0;

  constructor(deps: TryDeps, tries: Tries<Value, Try>) {
    this.#deps = deps;
    this.#tries = tries;
    const { isFree, mostTries, options } = tries;
    this.#retriesLeft = isFree ? (mostTries ?? 1 + options.RetryTimes) - 1 : 0;
    this.#silencesLeft = isFree && mostTries === undefined ? options['upstream_setting.silent_retries'] : 0;
    this.#deadlineMs = tries.isFree ? tries.haste?.deadlineMs : undefined;
  }

  async run(): Promise<Value> {
    const tries = this.#tries;
    tries.budget?.note(this.#nowMs);
    const chosen = tries.choose(this.#tried, true);
    // Calls that were waiting begin at the same moment: each is to see where the one before it goes.
    const decision = chosen instanceof Promise ? await chosen : chosen;
    if (decision.channel === undefined) throw tries.book.failure ?? tries.nobody(decision);
    this.#begin(decision, decision.channel);
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
      throw thrown;
    }
  }

  get #nowMs(): number {
    return this.#deps.clock.monotonic();
  }

  #begin(decision: Decision, channel: Channel): void {
    const deps = this.#deps;
    const tries = this.#tries;
    if (channel.keyId === 0) this.#tried.channels.add(channel.id);
    else this.#tried.keys.add(channel.keyId);
    const nowMs = this.#nowMs;
    const attempt = new LiveAttempt(tries.begin({ decision, channel, secrets: secretsOf(channel) }), nowMs);
    if (tries.book.stopped !== undefined) attempt.abort.abort();
    tries.book.attempt = attempt;
    deps.health.chosen(channel, tries.model, nowMs);
    attempt.isKeyTrial = deps.keyUses.used(channel);
    attempt.pulse = deps.pulses.began(channel, `${decision.group}\n${tries.model}`, deps.clock.now());
    deps.channels.seen(channel.id, decision.group, tries.userAgent);
    this.#setRunners([...this.#runners, this.#runnerOf(attempt)]);
  }

  #runnerOf(attempt: LiveAttempt<Try>): Runner<Value, Try> {
    const ask = async (): Promise<End<Value, Try>> => {
      // By then the attempt is among those that run.
      await Promise.resolve();
      try {
        const value = await this.#tries.ask(attempt);
        runner.isOver = true;
        return { runner, value };
      } catch (thrown) {
        runner.isOver = true;
        return { runner, thrown };
      }
    };
    // `ask` reads `runner` only after its first wait.
    const runner: Runner<Value, Try> = { attempt, isOver: false, ended: ask() };
    return runner;
  }

  #setRunners(runners: readonly Runner<Value, Try>[]): void {
    this.#runners = runners;
    this.#tries.book.running = runners.map(({ attempt }) => attempt);
  }

  #remove(gone: Runner<Value, Try>): void {
    this.#setRunners(this.#runners.filter((runner) => runner !== gone));
  }

  /** The next end of an attempt, or `late` if the newest has been silent for too long. */
  #nextEnd(): Promise<End<Value, Try> | 'late'> {
    const newest = this.#runners.at(-1);
    if (newest === undefined) throw new Error('no attempt runs');
    if (this.#deadlineMs === undefined && this.#runners.length === 1) return newest.ended;
    if (this.#deadlineMs === undefined) return firstEnd(this.#runners);
    const lateAtMs = Math.max(newest.attempt.startedMs + this.#deadlineMs, this.#againAtMs);
    return firstEnd(this.#runners, Math.max(1, lateAtMs - this.#nowMs));
  }

  /**
   * The newest attempt is late: another channel begins, beside it or in its place. If there is none, those that run get all
   * the time they need; if all others are full, or there is no budget, there may be some later.
   */
  async #hurry(): Promise<void> {
    const tries = this.#tries;
    const { book, haste } = tries;
    const deadlineMs = this.#deadlineMs ?? 0;
    this.#deadlineMs = undefined;
    const decision = book.stopped === undefined ? await this.#chooseBeside() : undefined;
    if (this.#runners.some(({ isOver }) => isOver)) {
      this.#deadlineMs = deadlineMs;
      return decision?.lease?.end(0);
    }
    const isFull = decision?.leftOut.some(({ reason }) => reason === 'no_room');
    if (decision?.channel === undefined && isFull === true) return this.#lookAgain(deadlineMs, LOOK_AGAIN_MS);
    if (decision?.channel === undefined || decision.coolingTaken) return decision?.lease?.end(0);
    if (!this.#takes()) {
      decision.lease?.end(0);
      return this.#lookAgain(deadlineMs, deadlineMs);
    }
    const late = tooLate('event', deadlineMs);
    for (const { attempt } of this.#runners) {
      attempt.late ??= late;
      const { id } = attempt.trial.channel;
      if (id !== decision.channel.id && !this.#isSilentAlone(attempt)) this.#tried.channels.add(id);
    }
    const [oldest] = this.#runners;
    const races =
      haste?.hedges === true && this.#runners.length < MOST_RUNNING && haste.takesHedge(this.#nowMs);
    if (!races && oldest !== undefined) this.#drop(oldest, late);
    this.#begin(decision, decision.channel);
    if (this.#runners.length > 1) for (const { attempt } of this.#runners) attempt.isRacing = true;
    this.#hurriesLeft -= 1;
    if (this.#hurriesLeft > 0) this.#deadlineMs = deadlineMs;
  }

  /** Its channel answers with other keys what was sent later. */
  #isSilentAlone({ trial, startedMs }: LiveAttempt<Try>): boolean {
    return this.#deps.health.isAlone(trial.channel, startedMs);
  }

  /** Its channel has answered with other keys meanwhile, perhaps only what was sent before. */
  #mayBeSilentAlone({ trial, startedMs }: LiveAttempt<Try>): boolean {
    return this.#deps.health.mayBeAlone(trial.channel, startedMs);
  }

  #lookAgain(deadlineMs: number, inMs: number): void {
    this.#deadlineMs = deadlineMs;
    this.#againAtMs = this.#nowMs + inMs;
  }

  /** Another channel than those that are silent; where there is none, another key of one that may still answer. */
  async #chooseBeside(): Promise<Decision> {
    const tried = this.#triedAnd((attempt) => !this.#isSilentAlone(attempt));
    const decision = await this.#tries.choose(tried, false);
    const fewer = this.#triedAnd((attempt) => !this.#mayBeSilentAlone(attempt));
    if (decision.channel !== undefined && !decision.coolingTaken) return decision;
    if (fewer.channels.size === tried.channels.size) return decision;
    decision.lease?.end(0);
    return this.#tries.choose(fewer, false);
  }

  /** What was tried, and with all their keys the channels of running attempts that are silent as a whole. */
  #triedAnd(isWhole: (attempt: LiveAttempt<Try>) => boolean): TriedSeats {
    const silent = this.#runners
      .filter(({ attempt }) => isWhole(attempt))
      .map(({ attempt }) => attempt.trial.channel.id);
    return { ...this.#tried, channels: new Set([...this.#tried.channels, ...silent]) };
  }

  /** Whether calls like this one may be tried once more. */
  #takes(): boolean {
    const { budget, options, book } = this.#tries;
    if (budget?.takes(options['upstream_setting.retry_percent'], this.#nowMs) !== false) return true;
    book.isOverBudget = true;
    return false;
  }

  #win(runner: Runner<Value, Try>, value: Value): Value {
    const { book, haste } = this.#tries;
    const { attempt } = runner;
    this.#remove(runner);
    for (const other of this.#runners) this.#drop(other, answeredFirst());
    noteAnswer(this.#deps, this.#tries, attempt);
    book.attempt = attempt;
    haste?.answered(this.#nowMs - attempt.startedMs);
    return value;
  }

  /** Begins the next attempt after a failed one, unless another still runs. Throws if the call has failed. */
  async #fail(runner: Runner<Value, Try>, thrown: unknown): Promise<void> {
    const tries = this.#tries;
    const { book } = tries;
    const { attempt } = runner;
    this.#remove(runner);
    attempt.close();
    const error = book.stopped ?? withoutSecrets(asAppError(thrown), attempt.trial.secrets);
    const isRefused = noteFailure(this.#deps, tries, attempt, error);
    const mayBeOfKey = isRefused || (error.upstream === undefined && this.#mayBeSilentAlone(attempt));
    book.attempt = attempt;
    const isOfKey = isRefused || (mayBeOfKey && this.#isSilentAlone(attempt));
    if (!isOfKey) this.#tried.channels.add(attempt.trial.channel.id);
    if (book.stopped !== undefined || !this.#isWorthAnother(attempt, error)) throw error;
    const other = this.#runners.at(-1);
    if (other !== undefined) {
      book.attempt = other.attempt;
      return;
    }
    const isFree = mayBeOfKey && this.#keysLeft > 0;
    if (isFree) this.#keysLeft -= 1;
    else if (this.#silencesLeft > 0 && isSilence(error)) this.#silencesLeft -= 1;
    else if (this.#retriesLeft > 0) this.#retriesLeft -= 1;
    else throw error;
    const decision = await this.#chooseAfter(attempt, error);
    // A key that is refused is not asked again for a while, so these tries end by themselves: unless all that are left are such.
    const isGiven = isFree && isRefused && decision.channel !== undefined && !decision.coolingTaken;
    if (isGiven) tries.budget?.spend(this.#nowMs);
    if (decision.channel === undefined || !(isGiven || this.#takes())) {
      decision.lease?.end(0);
      throw error;
    }
    this.#begin(decision, decision.channel);
  }

  /** Another channel; where there is none, another key of the one that failed, unless it was silent; else one that is full now. */
  async #chooseAfter(attempt: LiveAttempt<Try>, error: AppError): Promise<Decision> {
    const { id, keyId } = attempt.trial.channel;
    const channels = new Set(this.#tried.channels);
    const isSilent = error.code === 'upstream_timeout' && !this.#mayBeSilentAlone(attempt);
    const hasOtherKeys = keyId !== 0 && !isSilent && channels.delete(id);
    const decision = await this.#tries.choose(this.#tried, !hasOtherKeys);
    if (decision.channel !== undefined || !hasOtherKeys) return decision;
    return this.#tries.choose({ ...this.#tried, channels }, true);
  }

  #isWorthAnother({ trial }: LiveAttempt<Try>, error: AppError): boolean {
    const { canRepeat } = this.#tries;
    const { statusCodeMapping } = trial.channel;
    return this.#tries.judge?.(error).another ?? isWorthAnother(error, { canRepeat, statusCodeMapping });
  }

  /** Stops an attempt that still runs. Its channel is told by whoever hears its end. */
  #drop(runner: Runner<Value, Try>, why: AppError): void {
    const tries = this.#tries;
    const { book } = tries;
    const { attempt } = runner;
    this.#remove(runner);
    if (why === attempt.late || book.stopped !== undefined) noteFailure(this.#deps, tries, attempt, why);
    else noteLost(this.#deps, tries, attempt, why);
    // Whom the caller left is no loser: it ends by the rule for callers who leave.
    if (book.stopped === undefined) attempt.giveUp(why);
    void runner.ended.then((end) => {
      attempt.close();
      tries.drop?.(attempt, 'value' in end ? end.value : undefined);
    });
  }
}

const answeredFirst = (): AppError => new AppError('client_closed', 'another channel answered first');
