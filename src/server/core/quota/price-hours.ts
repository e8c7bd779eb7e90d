import { type PriceHours, weekdays } from '#contract/options/price-dimensions.ts';

const clocks = new Map<string, Intl.DateTimeFormat>();
const MOST_CLOCKS = 600;
const MINUTES_A_DAY = 1440;
const DAYS = weekdays.length;

const clockOf = (zone: string): Intl.DateTimeFormat => {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    });
    if (clocks.size < MOST_CLOCKS) clocks.set(zone, clock);
  }
  return clock;
};

/** What a clock on the wall of the zone shows, whichever rule of summer time holds there at that moment. */
const wallTime = (zone: string, atMs: number): { readonly day: number; readonly minute: number } => {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const day = weekdays.findIndex((name) => name === (parts['weekday'] ?? '').toLowerCase());
  return { day, minute: Number(parts['hour']) * 60 + Number(parts['minute']) };
};

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

/** The place in the list of the first hours that this moment is in; −1 for none. */
export const hoursAt = (hours: readonly PriceHours[], atMs: number): number =>
  hours.findIndex((each) => isIn(each, atMs));
