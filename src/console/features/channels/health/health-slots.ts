import type { readChannelHours } from '#contract/api/logs/data.ts';
import type { Data } from '#contract/endpoint.ts';
import { HOUR_S } from '../../../lib/text/spans.ts';

type Hour = Data<typeof readChannelHours>[number];

/** The health of one hour: no calls, all succeeded, some failed, half or more failed. */
export type SlotTone = 'none' | 'ok' | 'warn' | 'bad';

export interface Health {
  /** The last 24 hours, oldest first; the last is the running one. */
  readonly slots: readonly SlotTone[];
  readonly answered: number;
  readonly failed: number;
}

export const HEALTH_HOURS = 24;

/** The first hour of the strip, in Unix seconds, for the time `nowMs`. */
export const firstHourOf = (nowMs: number): number =>
  (Math.floor(nowMs / 1000 / HOUR_S) - HEALTH_HOURS + 1) * HOUR_S;

const toneOf = ({ count, failed }: Hour): SlotTone => {
  if (failed === 0) return count === 0 ? 'none' : 'ok';
  return failed >= count ? 'bad' : 'warn';
};

/** The health of each channel that had calls, by channel id. */
export const healthByChannel = (hours: readonly Hour[], firstHour: number): ReadonlyMap<number, Health> => {
  const found = new Map<number, { slots: SlotTone[]; answered: number; failed: number }>();
  for (const hour of hours) {
    const place = (hour.created_at - firstHour) / HOUR_S;
    if (place < 0 || place >= HEALTH_HOURS) continue;
    const health = found.get(hour.channel_id) ?? {
      slots: Array.from({ length: HEALTH_HOURS }, () => 'none' as const),
      answered: 0,
      failed: 0,
    };
    health.slots[place] = toneOf(hour);
    health.answered += hour.count;
    health.failed += hour.failed;
    found.set(hour.channel_id, health);
  }
  return found;
};
