import { asTried } from '#core/channel/as-tried.ts';
import type { Routing } from '#core/channel/routing.ts';
import { countsAgainstChannel, disableReason, isOwnFault } from '#core/channel/health/blame.ts';
import { AppError } from '#core/error.ts';
import type { RelayOperation } from '#core/operation.ts';
import type { ChannelHealth } from './health/channel-health.ts';
import { healthName } from './health/health-node.ts';
import { reportKeyFailure } from './key-news.ts';
import type { KeyUses } from './key-uses.ts';
import type { LivePulses } from './live-pulses.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { RelayDeps } from '../ports.ts';
import type { Attempt, Chosen } from '../destination.ts';

/** Where the results of attempts are recorded. */
export interface TryDeps extends Pick<RelayDeps, 'clock' | 'channels' | 'log'> {
  readonly routing: () => Pick<Routing, 'channels' | 'options'>;
  readonly metrics: Pick<RelayDeps['metrics'], 'attemptFailed'>;
  readonly health: ChannelHealth;
  readonly keyUses: KeyUses;
  readonly pulses: LivePulses;
}

/** Where attempts are recorded. */
export interface TryBook<Try extends Chosen> {
  /** The latest attempt, or the one that answered. */
  attempt: LiveAttempt<Try> | undefined;
  /** Attempts that have neither answered nor failed. */
  running: readonly LiveAttempt<Try>[];
  readonly attempts: Attempt[];
  /** The error of the last attempt. */
  failure: AppError | undefined;
  /** Why the call was ended from outside. */
  readonly stopped: AppError | undefined;
  /** Another attempt was wanted, but similar calls had been retried too often. */
  isOverBudget?: boolean;
}

/**
 * When and against whom a failure counts: as its error says; later, once another seat was asked about it; or against
 * the channel, whatever its error says.
 */
export type Blame = 'as told' | 'later' | 'channel';

/** A book for requests that are not calls with a stream of their own, such as tasks. */
export const newTryBook = <Try extends Chosen>(): TryBook<Try> => ({
  attempt: undefined,
  running: [],
  attempts: [],
  failure: undefined,
  stopped: undefined,
});

/** What is recorded with an attempt. */
interface Noted<Try extends Chosen> {
  readonly book: TryBook<Try>;
  readonly model: string;
  readonly operation?: RelayOperation;
  readonly userId?: number;
  readonly requestId: string;
  readonly status: number;
  readonly answer?: 'stream' | 'whole';
  readonly judge?: (error: AppError) => { readonly another: boolean; readonly disable: string | undefined };
}

const entryOf = <Try extends Chosen>(
  { destination, startedMs, connectedMs, headMs, isRacing }: LiveAttempt<Try>,
  nowMs: number,
  outcome: { readonly status: number; readonly error: string; readonly hasWon?: boolean },
): Attempt => {
  const { status, error, hasWon = false } = outcome;
  const { id, keyId, keyName } = destination.channel;
  return {
    channelId: id,
    key: keyId === 0 ? undefined : { id: keyId, name: keyName },
    status,
    durationMs: nowMs - startedMs,
    error,
    startedMs,
    connectMs: connectedMs === undefined ? undefined : connectedMs - startedMs,
    headMs: headMs === undefined ? undefined : headMs - startedMs,
    race: isRacing ? (hasWon ? 'won' : 'lost') : undefined,
  };
};

/** Records that an attempt begins: perhaps as the trial of its channel or key. */
export const noteBegun = <Try extends Chosen>(
  deps: TryDeps,
  {
    model,
    operation,
    userId,
    userAgent,
    canRepeat,
  }: Pick<Noted<Try>, 'model' | 'operation' | 'userId'> & {
    readonly userAgent: string | undefined;
    readonly canRepeat: boolean;
  },
  attempt: LiveAttempt<Try>,
): void => {
  const { channel, decision } = attempt.destination;
  const name = healthName(model, operation);
  attempt.isProbe = deps.health.chosen(channel, name, attempt.startedMs, userId, canRepeat);
  attempt.isKeyTrial = deps.keyUses.used(channel);
  attempt.pulse = deps.pulses.began(channel, decision.group, model, deps.clock.now());
  deps.channels.seen(channel.id, decision.group, userAgent);
};

/** Records that an attempt has answered: in the log, and as a success of its channel and key. */
export const noteAnswer = <Try extends Chosen>(
  deps: TryDeps,
  { book, status, model, operation, answer }: Noted<Try>,
  attempt: LiveAttempt<Try>,
): void => {
  const nowMs = deps.clock.monotonic();
  book.attempts.push(entryOf(attempt, nowMs, { status, error: '', hasWon: true }));
  book.failure = undefined;
  const { channel } = attempt.destination;
  deps.health.succeeded(channel, healthName(model, operation), nowMs, attempt.startedMs);
  if (answer === 'stream') attempt.pulse?.firstToken(nowMs - attempt.startedMs, deps.clock.now());
  if (answer === undefined) attempt.leavePulse();
  if (attempt.isKeyTrial) deps.channels.keyWorks(channel.id, channel.keyId);
};

/**
 * Records that an attempt has failed: in the log, and against its channel or key unless the caller left.
 * @param blame `later` if another seat is asked first
 * @returns whether the failure is about the key, so that another key of the channel may succeed
 */
export const noteFailure = <Try extends Chosen>(
  deps: TryDeps,
  { book, model, operation, userId, requestId, judge }: Noted<Try>,
  attempt: LiveAttempt<Try>,
  error: AppError,
  blame: Blame = 'as told',
): boolean => {
  const nowMs = deps.clock.monotonic();
  const { channel, secrets } = attempt.destination;
  const { status = 0, message = '' } = error.upstream ?? {};
  book.failure = error;
  if (status >= 400) attempt.usedTokens = 0;
  book.attempts.push(entryOf(attempt, nowMs, { status, error: message || error.message }));
  if (error.code === 'client_closed') {
    deps.health.left(channel, healthName(model, operation), nowMs);
    return false;
  }
  attempt.pulse?.failed(deps.clock.now());
  if (error.code === 'internal' || (isOwnFault(error) && error.cause !== undefined)) {
    const cause = secrets.maskText(String(error.cause));
    deps.log.error('an attempt failed unexpectedly', { requestId, channel: channel.id, cause });
  }
  return countFailure(deps, { model, operation, userId, judge, blame }, attempt, error);
};

interface Counted<Try extends Chosen> extends Pick<Noted<Try>, 'model' | 'operation' | 'userId'> {
  readonly judge: Noted<Try>['judge'];
  /** The answer had begun. */
  readonly isBroken?: boolean;
  readonly blame?: Blame;
}

/** Counts a failure against its channel or key. @returns whether it is about the key */
const countFailure = <Try extends Chosen>(
  deps: TryDeps,
  { model, operation, userId, judge, isBroken = false, blame = 'as told' }: Counted<Try>,
  attempt: LiveAttempt<Try>,
  error: AppError,
): boolean => {
  const nowMs = deps.clock.monotonic();
  const { channel } = attempt.destination;
  deps.metrics.attemptFailed(channel.id, channel.type, error.upstream?.status ?? 0);
  if (blame !== 'later')
    deps.health.failed(channel, healthName(model, operation), {
      error,
      startedMs: attempt.startedMs,
      nowMs,
      isBroken,
      blamedFor: blame === 'channel' ? 'channel' : undefined,
      ...(userId !== undefined && { userId }),
    });
  const routing = deps.routing();
  // The options of this moment, not those of the call's beginning.
  const { options } = routing;
  const judged = judge === undefined ? disableReason(error, options) : judge(error).disable;
  const reason = options.AutomaticDisableChannelEnabled ? judged : undefined;
  const now = channel.keyId === 0 ? asTried(routing, channel) : channel;
  // Skipped if the key was replaced in the meantime: whatever the old key was refused for, it is gone.
  if (now === undefined) return false;
  const sinceMs = deps.clock.now() - (nowMs - attempt.startedMs);
  const attempted = { channel, isTrial: attempt.isKeyTrial, sinceMs, options, lastingReason: reason };
  const isOfKey = reportKeyFailure(deps.channels, attempted, error);
  if (isOfKey && reason !== undefined) deps.health.refused(channel, nowMs);
  if (now.keyId === 0 && now.autoDisable && reason !== undefined) deps.channels.autoDisable(now.id, reason);
  return isOfKey;
};

/**
 * Records how an answer that had begun ended: whole, or with an error. Its caller has part of it, so nothing is tried
 * again; but an upstream whose answers all break off must not get the next calls, too.
 */
export const noteEnd = <Try extends Chosen>(
  deps: TryDeps,
  { model, operation, userId }: Pick<Noted<Try>, 'model' | 'operation' | 'userId'>,
  attempt: LiveAttempt<Try>,
  error: AppError | undefined,
): void => {
  const { channel } = attempt.destination;
  const name = healthName(model, operation);
  if (error === undefined) deps.health.completed(channel, name, deps.clock.monotonic());
  else if (!countsAgainstChannel(error)) deps.health.left(channel, name, deps.clock.monotonic());
  else countFailure(deps, { model, operation, userId, judge: undefined, isBroken: true }, attempt, error);
};

/** Why an attempt was stopped that was not the first to answer. */
export const answeredFirst = (): AppError => new AppError('client_closed', 'another channel answered first');

/** Records in the log that another channel answered first, though this attempt goes on. */
export const noteOvertaken = <Try extends Chosen>(
  { clock }: TryDeps,
  { book }: Noted<Try>,
  attempt: LiveAttempt<Try>,
): void => {
  book.attempts.push(entryOf(attempt, clock.monotonic(), { status: 0, error: answeredFirst().message }));
};

/** Records what the rest of an overtaken attempt showed about its channel. */
export const noteFound = <Try extends Chosen>(
  deps: TryDeps,
  noted: Noted<Try>,
  attempt: LiveAttempt<Try>,
  error: AppError | undefined,
): void => {
  if (error !== undefined) {
    attempt.pulse?.failed(deps.clock.now());
    const { model, operation, userId, judge } = noted;
    countFailure(deps, { model, operation, userId, judge }, attempt, error);
    return;
  }
  const { channel } = attempt.destination;
  const name = healthName(noted.model, noted.operation);
  deps.health.succeeded(channel, name, deps.clock.monotonic(), attempt.startedMs);
  if (attempt.isKeyTrial) deps.channels.keyWorks(channel.id, channel.keyId);
};

/** Records that another channel answered first. That counts against this one only if it was late. */
export const noteLost = <Try extends Chosen>(
  deps: TryDeps,
  { book, model, operation, userId = 0 }: Noted<Try>,
  attempt: LiveAttempt<Try>,
  why: AppError,
): void => {
  const nowMs = deps.clock.monotonic();
  const { channel } = attempt.destination;
  const name = healthName(model, operation);
  book.attempts.push(entryOf(attempt, nowMs, { status: 0, error: why.message }));
  if (attempt.late === undefined) return deps.health.left(channel, name, nowMs);
  attempt.pulse?.failed(deps.clock.now());
  deps.metrics.attemptFailed(channel.id, channel.type, 0);
  deps.health.failed(channel, name, { error: attempt.late, startedMs: attempt.startedMs, nowMs, userId });
};
