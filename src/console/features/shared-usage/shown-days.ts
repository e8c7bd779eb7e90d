import type { SharedUsage } from '#contract/api/people/usage-links.ts';
import { USAGE_LINK_DAYS } from '#contract/limits.ts';
import { DAY_S } from '../../lib/text/spans.ts';

type Day = SharedUsage['days'][number];

/** The last 30 days in UTC, oldest first, including those without calls. */
export const daysUntil = (nowMs: number, used: readonly Day[]): Day[] => {
  const today = Math.floor(nowMs / 1000 / DAY_S) * DAY_S;
  const known = new Map(used.map((one) => [one.day, one]));
  return Array.from({ length: USAGE_LINK_DAYS }, (_, at) => {
    const day = today - (USAGE_LINK_DAYS - 1 - at) * DAY_S;
    return known.get(day) ?? { day, calls: 0, prompt_tokens: 0, completion_tokens: 0, units: 0 };
  });
};

/** `11-23`, in UTC. */
export const dayName = (day: number): string => new Date(day * 1000).toISOString().slice(5, 10);
