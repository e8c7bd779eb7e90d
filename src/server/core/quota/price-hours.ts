import { type PriceHours, weekdays } from '#contract/options/price-dimensions.ts';
import { formatsByZone } from '../time/formats-by-zone.ts';

const MINUTES_A_DAY = 1440;
const DAYS = weekdays.length;

const clockOf = formatsByZone({
  hourCycle: 'h23',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Local time in a zone, including its daylight saving rules. */
const wallTime = (zone: string, atMs: number): { readonly day: number; readonly minute: number } => {
  if (zone === 'UTC') return wallTimeOfUtc(new Date(atMs));
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const day = weekdays.findIndex((name) => name === (parts['weekday'] ?? '').toLowerCase());
  return { day, minute: Number(parts['hour']) * 60 + Number(parts['minute']) };
};

/** The usual zone of peak hours, without the formatter and the data that it loads. */
const wallTimeOfUtc = (at: Date): { readonly day: number; readonly minute: number } => ({
  // `Date` counts from Sunday.
  day: (at.getUTCDay() + DAYS - 1) % DAYS,
  minute: at.getUTCHours() * 60 + at.getUTCMinutes(),
});

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const isIn = ({ zone, from, to, days }: PriceHours, atMs: number): boolean => {
  const { day, minute } = wallTime(zone, atMs);
  const start = minuteOf(from);
  const length = (minuteOf(to) - start + MINUTES_A_DAY) % MINUTES_A_DAY || MINUTES_A_DAY;
  const since = (minute - start + MINUTES_A_DAY) % MINUTES_A_DAY;
  if (since >= length) return false;
  const begun = minute >= start ? day : (day + DAYS - 1) % DAYS;
  return days === undefined || days.some((name) => weekdays[begun] === name);
};

/** The index of the first entry whose hours contain this moment; −1 if none does. */
export const hoursAt = (hours: readonly PriceHours[], atMs: number): number =>
  hours.findIndex((each) => isIn(each, atMs));
