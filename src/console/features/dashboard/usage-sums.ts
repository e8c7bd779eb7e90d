import type { readUsage } from '#contract/api/logs/data.ts';
import type { Data } from '#contract/endpoint.ts';
import type { BarTime } from '../../kit/charts/chart-axis.ts';
import { DAY_S, HOUR_S } from '../../lib/text/spans.ts';

export type UsageHour = Data<typeof readUsage>[number];
export type Metric = 'quota' | 'count' | 'token_used';
export type Step = 'hour' | 'day' | 'week';

export interface Span {
  /** Unix seconds, both inclusive. */
  readonly from: number;
  readonly to: number;
}

const LENGTHS_S = { hour: HOUR_S, day: DAY_S } as const;
const HOUR_MINUTES = 60;
const MINUTE_MS = 60_000;
const SHOWN_MODELS = 7;

/** Midnight, or the first moment of a day whose clocks skip it. */
const atMidnight = (date: Date): number => date.setHours(0, 0, 0, 0);

/**
 * The beginning of the local day or week (from Monday) of a moment, or of its hour, in milliseconds. Hours are UTC hours,
 * because usage is added up by them: an hour that the clock change repeats has two bars, and in some zones hours begin at half
 * past or a quarter.
 */
const beginningOf = (unixSeconds: number, step: Step): number => {
  if (step === 'hour') return (unixSeconds - (unixSeconds % HOUR_S)) * 1000;
  const date = new Date(unixSeconds * 1000);
  if (step === 'week') date.setDate(date.getDate() - ((date.getDay() + 6) % 7));
  return atMidnight(date);
};

const after = (beginningMs: number, step: Step): number => {
  const date = new Date(beginningMs);
  if (step === 'hour') return beginningMs + HOUR_S * 1000;
  // By the calendar, not by 24 hours: days of a clock change are longer or shorter, and may begin at one o'clock.
  date.setDate(date.getDate() + (step === 'day' ? 1 : 7));
  return atMidnight(date);
};

/** The most hours that one answer holds; longer spans are read by day. */
const HOURS_MAX = 900;

/** The finest step in which the server can be asked for sums over a span. */
export const finestStep = ({ from, to }: Span): 'hour' | 'day' =>
  to - from > HOURS_MAX * HOUR_S ? 'day' : 'hour';

/** The beginning of every bar in the span, also of those without usage. */
export const beginningsOf = ({ from, to }: Span, step: Step): number[] => {
  const found: number[] = [];
  for (let at = beginningOf(from, step); at <= to * 1000; at = after(at, step)) found.push(at);
  return found;
};

/**
 * The bar that shows an hour or a day of UTC: the one that contains its middle. Hours that reach over the first or last bar
 * belong to it, so that the bars add up to the whole span.
 */
export const barOf = (
  beginningsMs: readonly number[],
  startS: number,
  length: 'hour' | 'day' = 'hour',
): number => {
  const middleMs = (startS + LENGTHS_S[length] / 2) * 1000;
  let [first, last] = [0, beginningsMs.length - 1];
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if ((beginningsMs[middle] ?? 0) <= middleMs) first = middle;
    else last = middle - 1;
  }
  return first;
};

const two = (value: number): string => String(value).padStart(2, '0');

/** The times of a chart's bars. Hours are marked by the clock, and midnight by its day. */
export const barTimes = (beginningsMs: readonly number[], step: Step): BarTime[] =>
  beginningsMs.map((beginningMs, at) => {
    const date = new Date(beginningMs);
    const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    if (step !== 'hour') return { full: day, mark: day, place: at };
    const hour = `${two(date.getHours())}:${two(date.getMinutes())}`;
    return {
      full: `${day} ${hour}`,
      mark: date.getHours() === 0 ? day : hour,
      place: Math.floor((beginningMs / MINUTE_MS - date.getTimezoneOffset()) / HOUR_MINUTES),
    };
  });

/** The models with a series of their own, the largest first; without the series "others". */
export const largestModels = (hours: readonly UsageHour[], metric: Metric, otherName?: string): string[] =>
  byModel(hours, metric)
    .map(({ name }) => name)
    .filter((name) => name !== otherName)
    .slice(0, SHOWN_MODELS);

/** The span of the same length that ends where this one begins. */
export const spanBefore = ({ from, to }: Span): Span => ({ from: from - (to - from + 1), to: from - 1 });

/** The relative change; undefined if the earlier value was 0. */
export const changeOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before;

/** A difference with its sign as text; one that rounds to zero has no sign. */
export const withSign = (isLess: boolean, difference: string): string =>
  /[1-9]/.test(difference) ? `${isLess ? '−' : '+'}${difference}` : `±${difference}`;

export const totalOf = (hours: readonly UsageHour[], metric: Metric): number =>
  hours.reduce((sum, hour) => sum + hour[metric], 0);

/** The sum of each model, the largest first. */
export const byModel = (
  hours: readonly UsageHour[],
  metric: Metric,
): { readonly name: string; readonly value: number }[] =>
  [...Map.groupBy(hours, (hour) => hour.model_name)]
    .map(([name, rows]) => ({ name, value: totalOf(rows, metric) }))
    .toSorted((left, right) => right.value - left.value);

/** Where a bar begins and ends, in unix seconds, both inclusive, within the span. */
export const stretchOfBar = (span: Span, beginnings: readonly number[], at: number): Span => {
  const next = beginnings[at + 1];
  return {
    from: Math.max(span.from, (beginnings[at] ?? 0) / 1000),
    to: next === undefined ? span.to : Math.min(span.to, next / 1000 - 1),
  };
};

/** One series for each of the largest models, and one for all others; their sum is the total, to the unit. */
export const seriesOf = (
  hours: readonly UsageHour[],
  metric: Metric,
  beginnings: readonly number[],
  otherName: string,
): { readonly name: string; readonly values: number[] }[] => {
  const largest = largestModels(hours, metric, otherName);
  const series = new Map<string, number[]>();
  for (const hour of hours) {
    const at = barOf(beginnings, hour.created_at);
    const name = largest.includes(hour.model_name) ? hour.model_name : otherName;
    const values = series.get(name) ?? beginnings.map(() => 0);
    values[at] = (values[at] ?? 0) + hour[metric];
    series.set(name, values);
  }
  return [...largest, otherName].flatMap((name) => {
    const values = series.get(name);
    return values === undefined ? [] : [{ name, values }];
  });
};
