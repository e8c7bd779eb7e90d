import type { readUsageBy } from '#contract/api/logs/data.ts';
import type { Data } from '#contract/endpoint.ts';
import type { UsageHour } from './usage-sums.ts';

/** The dimensions by which bars can be split. */
export type Split = 'model' | 'channel' | 'user' | 'token' | 'program';

export const splitsFor = (isAll: boolean): readonly Split[] =>
  isAll ? ['model', 'channel', 'user', 'token', 'program'] : ['model', 'token', 'program'];

export type HourOf = Data<typeof readUsageBy>[number];

interface Words {
  /** The name of the rest: all but the largest. */
  readonly rest: string;
  /** Rows with neither name nor id. */
  readonly none: string;
  readonly gone: (id: number) => string;
  /** The display text of a name; some programs have translated names. */
  readonly named?: (name: string) => string;
}

/** The display names; equal names are distinguished by their ids. */
const namesIn = (hours: readonly HourOf[], { rest, none, gone, named = (name) => name }: Words) => {
  const idsOf = new Map<string, Set<number>>();
  for (const { id, name, is_rest: isRest } of hours)
    if (!isRest) idsOf.set(name, (idsOf.get(name) ?? new Set()).add(id));
  return ({ id, name, is_rest: isRest }: HourOf): string => {
    if (isRest) return rest;
    if (name === '') return id > 0 ? gone(id) : none;
    return (idsOf.get(name)?.size ?? 0) > 1 ? `${name} #${id}` : named(name);
  };
};

/** The hours with the display names of channels, users, tokens or programs. */
export const namedHours = (hours: readonly HourOf[], words: Words): UsageHour[] => {
  const shown = namesIn(hours, words);
  return hours.map((hour) => ({
    model_name: shown(hour),
    count: hour.count,
    quota: hour.quota,
    token_used: hour.token_used,
    created_at: hour.created_at,
  }));
};

/** The log filters for a part of a bar; none if no filter can express it. */
export const logsOfPart = (
  split: Split,
  shownName: string,
  hours: readonly HourOf[] | undefined,
  words: Words,
): Readonly<Record<string, string>> => {
  if (split === 'model') return shownName === words.rest ? {} : { model_name: `=${shownName}` };
  const shown = namesIn(hours ?? [], words);
  const one = hours?.find((hour) => shown(hour) === shownName);
  if (one === undefined || one.is_rest) return {};
  if (split === 'channel') return one.id > 0 ? { channel: String(one.id) } : {};
  if (one.name === '') return {};
  if (split === 'token') return { token_name: `=${one.name}` };
  return split === 'user' ? { username: one.name } : { program: one.name };
};
