import type { OptionValues } from '#contract/options.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import { disableReason } from '#core/channel/health.ts';
import { isWorthAnother } from '#core/channel/retry.ts';
import type { Decision } from '#core/channel/select.ts';
import { type AppError, asAppError } from '#core/error.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { RelayDeps } from '../ports.ts';
import type { Attempt, Chosen } from '../trial.ts';
import { withoutSecrets } from '../answer/mask.ts';

export interface TryDeps extends Pick<RelayDeps, 'clock' | 'channels' | 'log'> {
  readonly metrics: Pick<RelayDeps['metrics'], 'attemptFailed'>;
  readonly health: ChannelHealth;
}

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
  choose(tried: ReadonlySet<number>): Decision | Promise<Decision>;
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
  const tried = new Set<number>();
  const mostTries = isFree ? (tries.mostTries ?? 1 + options.RetryTimes) : 1;
  for (;;) {
    const decision = await tries.choose(tried);
    const { channel } = decision;
    if (channel === undefined) throw book.failure ?? tries.nobody(decision);
    tried.add(channel.id);
    const trial = tries.begin({ decision, channel, secrets: secretsOf(channel) });
    book.trial = trial;
    const startedMs = deps.clock.monotonic();
    deps.health.chosen(channel.id, startedMs);
    deps.channels.seen(channel.id, decision.group, tries.userAgent);
    try {
      const value = await tries.ask(trial);
      noteAnswer(deps, tries, channel.id, startedMs);
      return value;
    } catch (thrown) {
      const { secrets } = book.trial ?? trial;
      const error = book.stopped ?? withoutSecrets(asAppError(thrown), secrets);
      noteFailure(deps, tries, { ...trial, secrets }, error, startedMs);
      if (tried.size >= mostTries || book.stopped !== undefined || !isWorthIt(tries, trial, error))
        throw error;
    }
  }
};

type AnyTries = Pick<
  Tries<unknown, Chosen>,
  'book' | 'options' | 'requestId' | 'canRepeat' | 'judge' | 'status'
>;

const isWorthIt = ({ judge, canRepeat }: AnyTries, { channel }: Chosen, error: AppError): boolean =>
  judge?.(error).another ??
  isWorthAnother(error, { canRepeat, statusCodeMapping: channel.statusCodeMapping });

const noteAnswer = (deps: TryDeps, { book, status }: AnyTries, channelId: number, startedMs: number) => {
  const nowMs = deps.clock.monotonic();
  book.attempts.push({ channelId, status, durationMs: nowMs - startedMs, error: '' });
  book.failure = undefined;
  deps.health.succeeded(channelId, nowMs);
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
  book.attempts.push({ channelId: channel.id, status, durationMs, error: message || error.message });
  if (error.code === 'client_closed') return;
  deps.metrics.attemptFailed(channel.id, channel.type, status);
  deps.health.failed(channel.id, error, startedMs, nowMs);
  if (error.code === 'internal') {
    const cause = secrets.maskText(String(error.cause));
    deps.log.error('an attempt failed inside', { requestId, channel: channel.id, cause });
  }
  if (!channel.autoDisable) return;
  const reason = judge === undefined ? disableReason(error, options) : judge(error).disable;
  if (reason !== undefined) deps.channels.autoDisable(channel.id, reason);
};
