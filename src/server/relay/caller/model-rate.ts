import type { OptionValues } from '#contract/options.ts';
import { AppError } from '#core/error.ts';
import type { ModelRateLimit, ModelRateOutcome } from '#core/limits/model-rate-limiter.ts';
import { modelRateOf } from '#core/token/model-rate.ts';
import type { RelayDeps } from '../ports.ts';
import type { Live } from '../live.ts';
import type { Caller } from '../request/request.ts';
import { rateHeaders } from './reply-headers.ts';
import type { Asked } from '../stages.ts';

type RateDeps = Pick<RelayDeps, 'modelRates' | 'clock'>;
type Who = Pick<Caller, 'user' | 'token'>;

/** The limit of the token's group, else of the user's. Calls without a token (the playground) are not limited. */
const limitOf = (options: OptionValues, { user, token }: Who): ModelRateLimit | undefined =>
  token === undefined ? undefined : modelRateOf(options, token.group === '' ? user.group : token.group);

/**
 * Counts one call, as successful until `endCounted` says otherwise. If it is over the limit, throws `rate_limited` and
 * counts nothing.
 * @returns what is left, if there is a limit; a promise only if the count is kept elsewhere
 */
export const countCall = (
  deps: RateDeps,
  options: OptionValues,
  who: Who,
  nowMs = deps.clock.now(),
): ModelRateOutcome | undefined | Promise<ModelRateOutcome | undefined> => {
  const limit = limitOf(options, who);
  if (limit === undefined) return undefined;
  const counted = deps.modelRates.begin(who.user.id, limit, nowMs);
  return counted instanceof Promise
    ? counted.then((outcome) => admitted(outcome, limit))
    : admitted(counted, limit);
};

const admitted = (outcome: ModelRateOutcome, limit: ModelRateLimit): ModelRateOutcome | undefined => {
  refuseRate(outcome, limit);
  return outcome.limit > 0 ? outcome : undefined;
};

/**
 * Counts a call that uses no model, such as reading a kept response. It never counts as successful.
 * @returns the headers that tell what is left
 */
export const countWithoutModel = async (
  deps: RateDeps,
  options: OptionValues,
  who: Who,
): Promise<Readonly<Record<string, string>> | undefined> => {
  const rate = await countCall(deps, options, who);
  giveBackPlace(deps, { ratePlace: rate?.place });
  return rate && rateHeaders(rate, 'openai-responses', deps.clock.now());
};

/** Gives back the place that a failed call had in the limit of successful calls. */
export const giveBackPlace = (deps: RateDeps, live: Pick<Live, 'ratePlace'>): void => {
  const { ratePlace } = live;
  live.ratePlace = undefined;
  if (ratePlace !== undefined) deps.modelRates.giveBack(ratePlace, deps.clock.now());
};

/**
 * Ends the count of a call: a successful one keeps its slot, a failed one gives it back. A turn that was not admitted
 * has none.
 */
export const endCounted = (
  deps: RateDeps,
  { live, caller, routing }: Pick<Asked, 'live' | 'caller' | 'routing'>,
  end: 'succeeded' | 'failed',
): void => {
  if (end === 'failed') return giveBackPlace(deps, live);
  const { ratePlace } = live;
  live.ratePlace = undefined;
  const limit = limitOf(routing.options, caller);
  if (limit !== undefined && ratePlace === undefined)
    deps.modelRates.succeeded(caller.user.id, limit, deps.clock.now());
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
