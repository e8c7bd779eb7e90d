import type { OptionValues } from '#contract/options.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import { disableReason } from '#core/channel/health.ts';
import { keyVerdict } from '#core/channel/key-verdict.ts';
import { isWorthAnother } from '#core/channel/retry.ts';
import type { Decision, TriedSeats } from '#core/channel/select.ts';
import type { Channel } from '#core/channel/channel.ts';
import { type AppError, asAppError } from '#core/error.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { KeyUses } from './key-uses.ts';
import type { RelayDeps } from '../ports.ts';
import type { Attempt, Chosen } from '../trial.ts';
import { withoutSecrets } from '../answer/mask.ts';

export interface TryDeps extends Pick<RelayDeps, 'clock' | 'channels' | 'log'> {
  readonly metrics: Pick<RelayDeps['metrics'], 'attemptFailed'>;
  readonly health: ChannelHealth;
  readonly keyUses: KeyUses;
}

/** So many further keys may be tried in one call, beside its other tries: a key that is refused costs little time. */
const MOST_KEYS = 8;

/** Where attempts are recorded. */
export interface TryBook<Try extends Chosen> {
  trial: Try | undefined;
  readonly attempts: Attempt[];
  /** The error of the last attempt. */
  failure: AppError | undefined;
  /** Why the call was ended from outside. */
  readonly stopped: AppError | undefined;
}

/** A request that is sent to one channel after another until one answers. */
export interface Tries<Value, Try extends Chosen> {
  readonly book: TryBook<Try>;
  readonly options: OptionValues;
  readonly requestId: string;
  readonly userAgent: string | undefined;
  /** False if only one channel may serve it: it was named, or it has what the call continues from. */
  readonly isFree: boolean;
  /** How many may be asked where that is free. Not given: as many as the options say. */
  readonly mostTries?: number;
  /** It may be retried on another channel although this one may have executed it. */
  readonly canRepeat: boolean;
  choose(tried: TriedSeats): Decision | Promise<Decision>;
  /** The error if no channel can be chosen. */
  nobody(decision: Decision): AppError;
  /** What is known of the channel that is asked, before it is. */
  begin(chosen: Chosen): Try;
  ask(trial: Try): Promise<Value>;
  /** The status of an answer, for the log. */
  readonly status: number;
  /** Decides, instead of the default rule, whether to try another channel and whether to disable this one. */
  readonly judge?: (error: AppError) => { readonly another: boolean; readonly disable: string | undefined };
}

/**
 * Tries channels until one answers. Records each attempt in the log, the channel's health and the metrics, and disables
 * a channel whose error says that it will not answer again. Throws the last failure if no channel is left or a retry is
 * pointless.
 */
export const tryChannels = async <Value, Try extends Chosen>(
  deps: TryDeps,
  tries: Tries<Value, Try>,
): Promise<Value> => {
  const { book, options, isFree } = tries;
  const tried = { channels: new Set<number>(), keys: new Set<number>() };
  const mostTries = isFree ? (tries.mostTries ?? 1 + options.RetryTimes) : 1;
  for (let [asked, refusedKeys] = [1, 0]; ; asked += 1) {
    const decision = await tries.choose(tried);
    const { channel } = decision;
    if (channel === undefined) throw book.failure ?? tries.nobody(decision);
    if (channel.keyId === 0) tried.channels.add(channel.id);
    else tried.keys.add(channel.keyId);
    const trial = tries.begin({ decision, channel, secrets: secretsOf(channel) });
    book.trial = trial;
    const startedMs = deps.clock.monotonic();
    deps.health.chosen(channel, startedMs);
    deps.keyUses.used(channel);
    deps.channels.seen(channel.id, decision.group, tries.userAgent);
    try {
      const value = await tries.ask(trial);
      noteAnswer(deps, tries, channel, startedMs);
      return value;
    } catch (thrown) {
      const { secrets } = book.trial ?? trial;
      const error = book.stopped ?? withoutSecrets(asAppError(thrown), secrets);
      noteFailure(deps, tries, { ...trial, secrets }, error, startedMs);
      if (!isOfKey(channel, error)) tried.channels.add(channel.id);
      else if (refusedKeys < MOST_KEYS) refusedKeys += 1;
      if (asked - refusedKeys >= mostTries || book.stopped !== undefined || !isWorthIt(tries, trial, error))
        throw error;
    }
  }
};

/** Whether another key of the channel may do what this one could not. */
const isOfKey = ({ keyId }: Channel, error: AppError): boolean =>
  keyId !== 0 && keyVerdict(error) !== undefined;

/** How the log names the seat. */
const seatFields = ({ id, keyId, keyName }: Channel) => ({
  channelId: id,
  ...(keyId !== 0 && { key: { id: keyId, name: keyName } }),
});

type AnyTries = Pick<
  Tries<unknown, Chosen>,
  'book' | 'options' | 'requestId' | 'canRepeat' | 'judge' | 'status'
>;

const isWorthIt = ({ judge, canRepeat }: AnyTries, { channel }: Chosen, error: AppError): boolean =>
  judge?.(error).another ??
  isWorthAnother(error, { canRepeat, statusCodeMapping: channel.statusCodeMapping });

const noteAnswer = (deps: TryDeps, { book, status }: AnyTries, channel: Channel, startedMs: number) => {
  const nowMs = deps.clock.monotonic();
  book.attempts.push({ ...seatFields(channel), status, durationMs: nowMs - startedMs, error: '' });
  book.failure = undefined;
  deps.health.succeeded(channel, nowMs);
};

const noteFailure = (
  deps: TryDeps,
  { book, options, requestId, judge }: AnyTries,
  { channel, secrets }: Chosen,
  error: AppError,
  startedMs: number,
): void => {
  const nowMs = deps.clock.monotonic();
  const { status = 0, message = '' } = error.upstream ?? {};
  const durationMs = nowMs - startedMs;
  book.failure = error;
  book.attempts.push({ ...seatFields(channel), status, durationMs, error: message || error.message });
  if (error.code === 'client_closed') return;
  deps.metrics.attemptFailed(channel.id, channel.type, status);
  deps.health.failed(channel, error, startedMs, nowMs);
  if (error.code === 'internal') {
    const cause = secrets.maskText(String(error.cause));
    deps.log.error('an attempt failed inside', { requestId, channel: channel.id, cause });
  }
  if (!channel.autoDisable) return;
  const reason = judge === undefined ? disableReason(error, options) : judge(error).disable;
  if (reason !== undefined) deps.channels.autoDisable(channel.id, reason);
};
