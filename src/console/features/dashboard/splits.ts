import type { readUsageBy } from '#contract/api/data.ts';
import type { Data } from '#contract/endpoint.ts';
import type { UsageHour } from './usage-sums.ts';

/** What the chart's bars can be split by. Programs have no sums. */
export type Split = 'model' | 'channel' | 'user' | 'token';

export const splitsFor = (isAll: boolean): readonly Split[] =>
  isAll ? ['model', 'channel', 'user', 'token'] : ['model', 'token'];

export type HourOf = Data<typeof readUsageBy>[number];

interface Words {
  /** All but the largest. */
  readonly rest: string;
  /** What has neither name nor id. */
  readonly none: string;
  readonly gone: (id: number) => string;
}

/** The hours of channels, users or tokens under the names that are shown; two of one name are told apart by their ids. */
export const namedHours = (hours: readonly HourOf[], { rest, none, gone }: Words): UsageHour[] => {
  const idsOf = new Map<string, Set<number>>();
  for (const { id, name, is_rest: isRest } of hours)
    if (!isRest) idsOf.set(name, (idsOf.get(name) ?? new Set()).add(id));
  const shown = ({ id, name, is_rest: isRest }: HourOf): string => {
    if (isRest) return rest;
    if (name === '') return id > 0 ? gone(id) : none;
    return (idsOf.get(name)?.size ?? 0) > 1 ? `${name} #${id}` : name;
  };
  return hours.map((hour) => ({
    model_name: shown(hour),
    count: hour.count,
    quota: hour.quota,
    token_used: hour.token_used,
    created_at: hour.created_at,
  }));
};
