import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import type { Span, Step } from '../../../console/features/dashboard/usage-sums.ts';

/**
 * The bars of the dashboard where clocks change. A process of its own takes the zone of each question as its own; what is expected
 * is written down, or comes from the calendar of `Temporal`.
 */

interface Question {
  readonly zone: string;
  readonly span: Span;
  readonly step: Step;
  /** The beginnings of hours, or days, of UTC in which one unit each was used. */
  readonly used?: readonly number[];
  readonly length?: 'hour' | 'day';
}
interface Bars {
  readonly beginnings: readonly number[];
  readonly names: readonly string[];
  readonly values: readonly number[];
}

const PROGRAM = `
  const { barOf, barTimes, beginningsOf } = await import(process.argv[1]);
  const answers = JSON.parse(process.argv[2]).map(({ zone, span, step, used = [], length }) => {
    process.env.TZ = zone;
    const beginnings = beginningsOf(span, step);
    const values = beginnings.map(() => 0);
    for (const at of used) values[barOf(beginnings, at, length)] += 1;
    return { beginnings, names: barTimes(beginnings, step).map(({ full }) => full), values };
  });
  console.log(JSON.stringify(answers));`;

const barsOf = (questions: readonly Question[]): readonly Bars[] => {
  const module = new URL('../../../console/features/dashboard/usage-sums.ts', import.meta.url).href;
  const args = ['--input-type=module', '--eval', PROGRAM, module, JSON.stringify(questions)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Bars[];
};

const secondsOf = (time: string): number => Date.parse(time) / 1000;
const shortOf = (beginningsMs: readonly number[]): string[] =>
  beginningsMs.map((at) => new Date(at).toISOString().slice(5, 16));
const span = (from: string, to: string): Span => ({ from: secondsOf(from), to: secondsOf(to) });
const hoursIn = ({ from, to }: Span): number[] =>
  Array.from({ length: Math.ceil((to - from) / 3600) }, (_, hour) => from + hour * 3600);

it('an hour that comes twice has two bars, each with what was used in it', () => {
  const night = span('2026-10-24T23:00:00Z', '2026-10-25T02:59:59Z');
  const used = ['00:00', '01:00', '01:00', '01:00'].map((time) => secondsOf(`2026-10-25T${time}:00Z`));
  const [berlin] = barsOf([{ zone: 'Europe/Berlin', span: night, step: 'hour', used }]);
  expect(berlin).toMatchObject({
    names: ['10-25 01:00', '10-25 02:00', '10-25 02:00', '10-25 03:00'],
    values: [0, 1, 3, 0],
  });
});

it('an hour of UTC is one bar also where clocks are half or a quarter of an hour off', () => {
  const hours = span('2026-04-04T13:10:00Z', '2026-04-04T15:59:59Z');
  const used = [secondsOf('2026-04-04T14:00:00Z')];
  const [kathmandu, howe] = barsOf(
    ['Asia/Kathmandu', 'Australia/Lord_Howe'].map((zone) => ({ zone, span: hours, step: 'hour', used })),
  );
  expect(kathmandu).toMatchObject({
    names: ['04-04 18:45', '04-04 19:45', '04-04 20:45'],
    values: [0, 1, 0],
  });
  // From +11:00 to +10:30 at 15:00 UTC.
  expect(howe).toMatchObject({ names: ['04-05 00:00', '04-05 01:00', '04-05 01:30'], values: [0, 1, 0] });
});

it('the day after one without a midnight begins at midnight again, and nothing after it is lost', () => {
  const spans = [
    ['Africa/Cairo', span('2026-04-22T22:00:00Z', '2026-04-26T20:59:59Z')],
    ['America/Sao_Paulo', span('2018-11-03T03:00:00Z', '2018-11-07T01:59:59Z')],
  ] as const;
  const bars = barsOf(spans.map(([zone, of]) => ({ zone, span: of, step: 'day', used: hoursIn(of) })));
  expect(bars.map(({ beginnings }) => shortOf(beginnings))).toEqual([
    ['04-22T22:00', '04-23T22:00', '04-24T21:00', '04-25T21:00'],
    ['11-03T03:00', '11-04T03:00', '11-05T02:00', '11-06T02:00'],
  ]);
  for (const { values } of bars) expect(values).toEqual([24, 23, 24, 24]);
});

it('a day of UTC is shown in the local day that has most of it, and the first and last days of a span in its first and last bar', () => {
  const used = ['2026-11-10', '2026-11-11', '2026-11-12'].map((day) => secondsOf(`${day}T00:00:00Z`));
  const of = span('2026-11-10T20:00:00Z', '2026-11-12T06:00:00Z');
  const zones = ['America/Los_Angeles', 'UTC', 'Asia/Shanghai'];
  const bars = barsOf(zones.map((zone) => ({ zone, span: of, step: 'day', used, length: 'day' })));
  expect(bars.map(({ names, values }) => [names, values])).toEqual([
    [
      ['11-10', '11-11'],
      [1, 2],
    ],
    [
      ['11-10', '11-11', '11-12'],
      [1, 1, 1],
    ],
    [
      ['11-11', '11-12'],
      [2, 1],
    ],
  ]);
});

const ZONES = [
  ['Europe/Berlin', 2026],
  ['America/Sao_Paulo', 2018],
  ['Australia/Lord_Howe', 2026],
  ['Asia/Kathmandu', 2026],
  ['Africa/Cairo', 2026],
  ['America/Havana', 2026],
  ['America/Santiago', 2026],
  ['Pacific/Apia', 2011],
  ['UTC', 2026],
] as const;

it('every day and week of a year begins where the calendar says', () => {
  const beginnings = (zone: string, year: number, days: number): number[] => {
    const first = Temporal.PlainDate.from({ year, month: 1, day: 1 });
    const monday = days === 7 ? first.subtract({ days: first.dayOfWeek - 1 }) : first;
    const all = Array.from({ length: Math.ceil(367 / days) }, (_, at) => monday.add({ days: at * days }));
    const inYear = all.filter((day) => Temporal.PlainDate.compare(day, { year, month: 12, day: 31 }) <= 0);
    return [...new Set(inYear.map((day) => day.toZonedDateTime(zone).epochMilliseconds))];
  };
  const asked = ZONES.flatMap(([zone, year]) =>
    (['day', 'week'] as const).map((step) => {
      const day = Temporal.PlainDate.from({ year, month: 1, day: 1 });
      const [from, to] = [day, day.add({ years: 1 })].map(
        (one) => one.toZonedDateTime(zone).epochMilliseconds / 1000,
      );
      return { zone, year, step, span: { from: from ?? 0, to: (to ?? 0) - 1 } };
    }),
  );
  const bars = barsOf(asked);
  for (const [at, { zone, year, step }] of asked.entries())
    expect(bars[at]?.beginnings, `${zone} ${step}`).toEqual(beginnings(zone, year, step === 'day' ? 1 : 7));
});
