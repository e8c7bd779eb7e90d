import type { OptionValues } from '#contract/options.ts';
import { type GroupNames, presentGroup } from './present-group.ts';
import type { ModelRateLimit } from '../limits/model-rate-limiter.ts';

type RateOptions = GroupNames &
  Pick<
    OptionValues,
    | 'ModelRequestRateLimitEnabled'
    | 'ModelRequestRateLimitDurationMinutes'
    | 'ModelRequestRateLimitCount'
    | 'ModelRequestRateLimitSuccessCount'
    | 'ModelRequestRateLimitGroup'
  >;

/** The limit of a group: its own, else the site's. Undefined if there is no limit. */
export const modelRateOf = (options: RateOptions, ownGroup: string): ModelRateLimit | undefined => {
  if (!options.ModelRequestRateLimitEnabled || options.ModelRequestRateLimitDurationMinutes === 0)
    return undefined;
  const groups: Readonly<Record<string, unknown>> = options.ModelRequestRateLimitGroup;
  const group = presentGroup(options, ownGroup);
  const own = Object.hasOwn(groups, group) ? groups[group] : undefined;
  const windowMs = options.ModelRequestRateLimitDurationMinutes * 60_000;
  if (isPair(own)) return { total: own[0], succeeded: own[1], windowMs };
  return {
    total: options.ModelRequestRateLimitCount,
    succeeded: options.ModelRequestRateLimitSuccessCount,
    windowMs,
  };
};

const isPair = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'number';
