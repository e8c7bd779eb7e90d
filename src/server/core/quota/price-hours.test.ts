import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PriceHours } from '#contract/options/price-dimensions.ts';
import { hoursAt } from './price-hours.ts';

/** Hours on the nights when clocks change, worked out by hand from the rules of each place. */

const isIn = (hours: Pick<PriceHours, 'zone' | 'from' | 'to'> & Partial<PriceHours>, at: string): boolean =>
  hoursAt([{ factor: 0.5, ...hours }], Date.parse(at)) === 0;

it('clocks that change by half an hour: a repeated time counts twice, a skipped one never', () => {
  // Lord Howe: from +11:00 to +10:30 at 02:00 on 5 April, back at 02:00 on 4 October.
  const twice = { zone: 'Australia/Lord_Howe', from: '01:30', to: '02:00' };
  const times = ['14:29:59Z', '14:30:00Z', '14:59:59Z', '15:00:00Z', '15:29:59Z', '15:30:00Z'];
  expect(times.map((time) => isIn(twice, `2026-04-04T${time}`))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
  const never = { zone: 'Australia/Lord_Howe', from: '02:00', to: '02:30' };
  expect(['15:29:59Z', '15:30:00Z'].map((time) => isIn(never, `2026-10-03T${time}`))).toEqual([false, false]);
});

it('a day that begins at one o’clock has the hours of the evening before until then', () => {
  // Cairo: from +2 to +3 at midnight, between Thursday 23 and Friday 24 April.
  const thursday = { zone: 'Africa/Cairo', from: '23:00', to: '02:00', days: ['thu'] as PriceHours['days'] };
  const times = ['20:59:59Z', '21:00:00Z', '21:59:59Z', '22:00:00Z', '22:59:59Z', '23:00:00Z'];
  expect(times.map((time) => isIn(thursday, `2026-04-23T${time}`))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
  const first = { zone: 'Africa/Cairo', from: '00:00', to: '01:00' };
  expect(['21:59:59Z', '22:00:00Z'].map((time) => isIn(first, `2026-04-23T${time}`))).toEqual([false, false]);
});

it('a place a quarter of an hour off has its own hours, and its own days', () => {
  // Kathmandu: +05:45, so Sunday begins at 18:15 of Saturday.
  const sunday = { zone: 'Asia/Kathmandu', from: '00:00', to: '00:00', days: ['sun'] as PriceHours['days'] };
  const times = [
    '2026-11-28T18:14:59Z',
    '2026-11-28T18:15:00Z',
    '2026-11-29T18:14:59Z',
    '2026-11-29T18:15:00Z',
  ];
  expect(times.map((time) => isIn(sunday, time))).toEqual([false, true, true, false]);
});

const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'America/Havana',
  'Pacific/Apia',
  'UTC',
] as const;
const time = fc
  .tuple(fc.nat(23), fc.constantFrom(0, 15, 30, 59))
  .map((numbers) => numbers.map((number) => String(number).padStart(2, '0')).join(':'));

/** Moments within a day of a change of the clocks, and any others. 2018 still has changes in Brazil, 2011 a skipped day in Samoa. */
const moment = fc.constantFrom(...zones).chain((zone) =>
  fc
    .tuple(
      fc.constantFrom('2011-07-01Z', '2018-01-01Z', '2018-07-01Z', '2026-01-01Z', '2026-07-01Z'),
      fc.integer({ min: -86_400_000, max: 86_400_000 }),
      fc.nat(180 * 86_400_000),
      fc.boolean(),
    )
    .map(([start, offMs, anyMs, isNear]) => {
      const from = Temporal.Instant.from(start.replace('Z', 'T00:00Z'));
      const change = isNear ? from.toZonedDateTimeISO(zone).getTimeZoneTransition('next') : null;
      return { zone, atMs: change ? change.epochMilliseconds + offMs : from.epochMilliseconds + anyMs };
    }),
);

it('hours are those that the calendar of `Temporal` shows at that moment, on the day on which they began', () => {
  fc.assert(
    fc.property(
      moment,
      time,
      time,
      fc.option(fc.uniqueArray(fc.constantFrom(...weekdayNames), { minLength: 1 }), { nil: undefined }),
      ({ zone, atMs }, from, to, days) => {
        const local = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone);
        const shown = local.toPlainTime().toString({ smallestUnit: 'minute' });
        const today = weekdayNames[local.dayOfWeek - 1];
        const yesterday = weekdayNames[(local.dayOfWeek + 5) % 7];
        // An evening's hours go on in the morning of the next day.
        const isEvening = shown >= from && (shown < to || to <= from);
        const isMorning = to <= from && shown < to;
        const began = isEvening ? today : isMorning ? yesterday : undefined;
        const expected = began !== undefined && (days?.includes(began) ?? true);
        const hours = { zone, from, to, factor: 2, ...(days && { days }) };
        expect(hoursAt([hours], atMs)).toBe(expected ? 0 : -1);
      },
    ),
    { numRuns: 1000 },
  );
});
