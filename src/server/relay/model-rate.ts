import type { OptionValues } from '#contract/options.ts';
import { AppError } from '#core/error.ts';
import type { ModelRateLimit, ModelRateOutcome } from '#core/model-rate-limiter.ts';
import { modelRateOf } from '#core/token/model-rate.ts';
import type { RelayDeps } from './ports.ts';
import type { Caller } from './running.ts';

type RateDeps = Pick<RelayDeps, 'modelRates' | 'clock'>;
type Who = Pick<Caller, 'user' | 'token'>;

/** Without a token (the playground) nothing is limited; else the token's group counts, or the user's. */
const limitOf = (options: OptionValues, { user, token }: Who): ModelRateLimit | undefined =>
  token === undefined ? undefined : modelRateOf(options, token.group === '' ? user.group : token.group);

/**
 * Counts one call of whatever outcome. Throws `rate_limited` where it is one too many; then nothing is counted.
 * @returns what is left, where anything is limited
 */
export const countCall = async (
  deps: RateDeps,
  options: OptionValues,
  who: Who,
): Promise<ModelRateOutcome | undefined> => {
  const limit = limitOf(options, who);
  if (limit === undefined) return undefined;
  const counted = deps.modelRates.begin(who.user.id, limit, deps.clock.now());
  const outcome = counted instanceof Promise ? await counted : counted;
  refuseRate(outcome, limit);
  return outcome.limit > 0 ? outcome : undefined;
};

/** Counts one call that succeeded. */
export const countSuccess = (deps: RateDeps, options: OptionValues, who: Who): void => {
  const limit = limitOf(options, who);
  if (limit !== undefined) deps.modelRates.succeeded(who.user.id, limit, deps.clock.now());
};

const refuseRate = (outcome: ModelRateOutcome, limit: ModelRateLimit): void => {
  const { state, resetMs } = outcome;
  if (state === 'allowed') return;
  const minutes = limit.windowMs / 60_000;
  const window = minutes === 1 ? 'a minute' : `${String(minutes)} minutes`;
  const message =
    state === 'total_reached'
      ? `too many requests: at most ${String(limit.total)} in ${window}, failed ones included`
      : `too many requests: at most ${String(limit.succeeded)} that succeed in ${window}`;
  throw new AppError('rate_limited', message, {
    retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1000)),
    rate: outcome,
  });
};
