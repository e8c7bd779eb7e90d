import type { OptionValues } from '#contract/options.ts';
import { AppError } from '#core/error.ts';
import type { ModelRateLimit, ModelRateOutcome, ModelRatePlace } from '#core/model-rate-limiter.ts';
import { modelRateOf } from '#core/token/model-rate.ts';
import type { RelayDeps } from './ports.ts';
import { type Caller, known, type Running } from './running.ts';

type RateDeps = Pick<RelayDeps, 'modelRates' | 'clock'>;
type Who = Pick<Caller, 'user' | 'token'>;

/** Without a token (the playground) nothing is limited; else the token's group counts, or the user's. */
const limitOf = (options: OptionValues, { user, token }: Who): ModelRateLimit | undefined =>
  token === undefined ? undefined : modelRateOf(options, token.group === '' ? user.group : token.group);

/**
 * Counts one call, and as one that succeeds until `endCounted` says otherwise. Throws `rate_limited` where it is one too
 * many; then nothing is counted.
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

/** Counts one call that is no use of a model, like reading a kept response: it is never one that succeeded. */
export const countBeside = async (deps: RateDeps, options: OptionValues, who: Who): Promise<void> =>
  giveBackPlace(deps, (await countCall(deps, options, who))?.place);

/** The call failed: another may succeed in its place. */
export const giveBackPlace = (deps: RateDeps, place: ModelRatePlace | undefined): void => {
  if (place !== undefined) deps.modelRates.giveBack(place, deps.clock.now());
};

/** Says once whether a call succeeded: it keeps its place or gives it back. A turn that was not admitted has none yet. */
export const endCounted = (deps: RateDeps, running: Running, succeeded: boolean): void => {
  const { ratePlace } = running;
  running.ratePlace = undefined;
  if (!succeeded) return giveBackPlace(deps, ratePlace);
  const who = known(running.caller, 'authenticate');
  const limit = limitOf(running.routing.options, who);
  if (limit !== undefined && ratePlace === undefined)
    deps.modelRates.succeeded(who.user.id, limit, deps.clock.now());
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
