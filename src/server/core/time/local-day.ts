import { formatsByZone } from './formats-by-zone.ts';
import { DAY_MS } from './spans.ts';

const calendarOf = formatsByZone({
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
});

/**
 * The date in a zone at a moment, as the number of days that the calendar has from 1970-01-01 to it. A day that the clock is
 * put forward or back on is shorter or longer, and still one day.
 */
export const localDay = (zone: string | undefined, atMs: number): number => {
  if (zone === undefined || zone === 'UTC') return Math.floor(atMs / DAY_MS);
  const parts = new Map(
    calendarOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year = 1970, month = 1, day = 1] = [parts.get('year'), parts.get('month'), parts.get('day')];
  return Date.UTC(year, month - 1, day) / DAY_MS;
};
