import { HOUR_MS, MINUTE_MS } from '../time/spans.ts';

/** Which of day and month comes first where both are numbers before the year: `03/04/2026`. */
export type DateOrder = 'day-first' | 'month-first';

/** A time as a file states it. */
export interface StatedTime {
  readonly atMs: number;
  /** It has no time of day. */
  readonly isDay: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MOST_LENGTH = 60;
const UNIX = /^(\d{10})(?:\.\d{1,9})?$|^(\d{13})$|^(\d{16})$|^(\d{19})$/;
const YEAR_FIRST = /^(\d{4})(?:[-/.年](\d{1,2})[-/.月](\d{1,2})日?|(\d{2})(\d{2}))(?!\d)/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/;
const NAMED_FIRST = /^(?:[a-z]{3,9},? )?([a-z]{3})[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/i;
const NAMED_MIDDLE = /^(?:[a-z]{3,9},? )?(\d{1,2})[ -]([a-z]{3})[a-z]{0,6}\.?[ -](\d{4})(?!\d)/i;
const CLOCK = /^(?:,|T| at)? ?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?([ap])\.?m\.?)?(?![\d:])/i;
const ZONE = /^ ?(?:(z|utc|gmt|utc\+0)|(?:utc|gmt)?([+-])(\d{2}):?(\d{2})?)?(?: ?\(?utc\)?)?$/i;

interface DateRead {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly rest: string;
}

const dateIn = (text: string, order: DateOrder): DateRead | undefined => {
  const first = YEAR_FIRST.exec(text);
  if (first !== null) {
    const [all, year, month = first[4], day = first[5]] = first;
    return { year: Number(year), month: Number(month), day: Number(day), rest: text.slice(all.length) };
  }
  const last = YEAR_LAST.exec(text);
  if (last !== null) {
    const [all, one, sign, other, year] = last;
    const isDayFirst = sign === '.' || order === 'day-first';
    const [day, month] = isDayFirst ? [one, other] : [other, one];
    return { year: Number(year), month: Number(month), day: Number(day), rest: text.slice(all.length) };
  }
  const named = NAMED_FIRST.exec(text);
  const middle = NAMED_MIDDLE.exec(text);
  const [all = '', ...parts] = named ?? middle ?? [];
  if (all === '') return undefined;
  const [name, day, year] = named === null ? [parts[1], parts[0], parts[2]] : parts;
  const month = MONTHS.indexOf((name ?? '').toLowerCase()) + 1;
  return { year: Number(year), month, day: Number(day), rest: text.slice(all.length) };
};

const unixMs = (text: string): number | undefined => {
  const match = UNIX.exec(text);
  if (match === null) return undefined;
  const [, seconds, milliseconds, micro, nano] = match;
  if (seconds !== undefined) return Math.round(Number(text) * 1000);
  if (milliseconds !== undefined) return Number(milliseconds);
  return Number((micro ?? nano ?? '').slice(0, 13));
};

/** The times of one file in one time zone. Looks each hour up once, because the calendar takes its time. */
export class FileTimes {
  readonly #zone: string;
  readonly #order: DateOrder;
  readonly #hours = new Map<number, number>();
  readonly #days = new Map<number, number>();

  /** @param zone the name of a time zone (IANA), for times that do not state theirs, and for days */
  constructor(zone: string, order: DateOrder) {
    this.#zone = zone;
    this.#order = order;
  }

  /** The time in a cell; undefined if it is none. */
  read(cell: string): StatedTime | undefined {
    const text = cell.trim();
    if (text.length > MOST_LENGTH) return undefined;
    const unix = unixMs(text);
    if (unix !== undefined) return { atMs: unix, isDay: false };
    const date = dateIn(text, this.#order);
    if (date === undefined || date.year < 2000 || date.year > 2100) return undefined;
    const dayMs = Date.UTC(date.year, date.month - 1, date.day);
    // 31 April would be 1 May.
    if (new Date(dayMs).getUTCDate() !== date.day || new Date(dayMs).getUTCMonth() !== date.month - 1)
      return undefined;
    const rest = date.rest.trimEnd();
    if (rest === '' || /^ ?\(?utc\)?$/i.test(rest))
      return { atMs: rest === '' ? this.#fromLocal(dayMs) : dayMs, isDay: true };
    const clock = CLOCK.exec(rest);
    const zone = clock === null ? null : ZONE.exec(rest.slice(clock[0].length));
    const withinMs = clock === null ? undefined : clockMs(clock);
    if (zone === null || withinMs === undefined) return undefined;
    const offsetMs = zoneOffsetMs(zone);
    const localMs = dayMs + withinMs;
    return { atMs: offsetMs === undefined ? this.#fromLocal(localMs) : localMs - offsetMs, isDay: false };
  }

  /** The beginning of the day that a time is in. */
  dayOf(atMs: number): number {
    // Zones are apart by quarters of an hour.
    const quarter = Math.floor(atMs / (MINUTE_MS * 15));
    let day = this.#days.get(quarter);
    if (day === undefined) {
      day = Temporal.Instant.fromEpochMilliseconds(atMs)
        .toZonedDateTimeISO(this.#zone)
        .startOfDay().epochMilliseconds;
      this.#days.set(quarter, day);
    }
    return day;
  }

  /** The first moment after the day that a time is in. */
  endOfDay(atMs: number): number {
    const start = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(this.#zone).startOfDay();
    return start.add({ days: 1 }).startOfDay().epochMilliseconds;
  }

  /** A day by its date: `2026-11-29`. */
  dateOf(atMs: number): string {
    return Temporal.Instant.fromEpochMilliseconds(atMs)
      .toZonedDateTimeISO(this.#zone)
      .toPlainDate()
      .toString();
  }

  /** @param localMs a time on the clock of the zone, as if it were UTC */
  #fromLocal(localMs: number): number {
    const hour = Math.floor(localMs / HOUR_MS);
    let startMs = this.#hours.get(hour);
    if (startMs === undefined) {
      const clock = new Date(hour * HOUR_MS).toISOString().slice(0, -1);
      startMs = Temporal.PlainDateTime.from(clock).toZonedDateTime(this.#zone).epochMilliseconds;
      this.#hours.set(hour, startMs);
    }
    return startMs + (localMs - hour * HOUR_MS);
  }
}

const clockMs = ([, hours, minutes, seconds = '0', fraction = '', half]: RegExpExecArray):
  | number
  | undefined => {
  const twelve = Number(hours) % 12;
  const hour = half === undefined ? Number(hours) : twelve + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hour > 24 || Number(minutes) > 59 || Number(seconds) > 60) return undefined;
  return (
    hour * HOUR_MS +
    Number(minutes) * MINUTE_MS +
    Number(seconds) * 1000 +
    Number(fraction.padEnd(3, '0').slice(0, 3))
  );
};

const zoneOffsetMs = ([text, utc, sign, hours, minutes = '0']: RegExpExecArray): number | undefined => {
  if (sign !== undefined)
    return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS);
  return utc !== undefined || text.trim() !== '' ? 0 : undefined;
};

/** Which order dates have that begin with two numbers; undefined if they do not tell, `none` if there are none. */
export const dateOrderOf = (cells: Iterable<string>): DateOrder | 'none' | undefined => {
  let found: DateOrder | 'none' | undefined = 'none';
  for (const cell of cells) {
    const match = YEAR_LAST.exec(cell.trim());
    if (match === null || match[2] === '.') continue;
    if (Number(match[1]) > 12) return 'day-first';
    if (Number(match[3]) > 12) return 'month-first';
    found = undefined;
  }
  return found;
};
