import type { Tone } from '../../kit/status.tsx';
import { DAY_S, HOUR_S, MONTH_S, WEEK_S } from '../../lib/text/spans.ts';

/** Green below 101 s, orange below 300 s, else red. Source: specification, log time colouring. */
export const durationTone = (seconds: number): Tone =>
  seconds < 101 ? 'ok' : seconds < 300 ? 'warn' : 'bad';

/** Green below 3 s, orange below 10 s, else red. Source: specification, log time colouring. */
export const firstTokenTone = (seconds: number): Tone => (seconds < 3 ? 'ok' : seconds < 10 ? 'warn' : 'bad');

/** Named time ranges. The address contains the name, so that a link to "today" stays right tomorrow. */
export const ranges = ['', 'yesterday', 'hour', 'day', 'week', 'month', 'all'] as const;
export type Range = (typeof ranges)[number];

/** Of the named ranges, their texts. */
export const rangeNames = {
  '': 'range.today',
  hour: 'range.hour',
  day: 'range.day',
  yesterday: 'range.yesterday',
  week: 'range.week',
  month: 'range.month',
  all: 'range.all',
} as const satisfies Record<Range, string>;

interface Stretch {
  /** Unix seconds; 0 for no limit. */
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

const midnight = (nowMs: number, daysAgo: number): number => {
  const date = new Date(nowMs);
  // Not by 24 hours: a day may have 23 or 25.
  date.setHours(0, 0, 0, 0);
  return Math.floor(date.setDate(date.getDate() - daysAgo) / 1000);
};

const startOf = (range: string, nowMs: number): number => {
  const now = Math.floor(nowMs / 1000);
  switch (range) {
    case 'hour':
      return now - HOUR_S;
    case 'day':
      return now - DAY_S;
    case 'week':
      return now - WEEK_S;
    case 'month':
      return now - MONTH_S;
    case 'all':
      return 0;
    case 'yesterday':
      return midnight(nowMs, 1);
    default:
      return midnight(nowMs, 0);
  }
};

/** An hour ahead, for clocks that are slightly off; yesterday ends before today. */
const endOf = (range: string, nowMs: number): number =>
  range === 'yesterday' ? midnight(nowMs, 0) - 1 : Math.floor(nowMs / 1000) + HOUR_S;

const seconds = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;

/** The time range of an address, today by default. A search for a request id covers all time. */
export const stretchOf = (filters: Readonly<Record<string, string>>, nowMs: number): Stretch => {
  const { range = '', from, to, request_id: requestId = '' } = filters;
  const isById = requestId !== '' && range === '' && !from && !to;
  return {
    start_timestamp: seconds(from) ?? startOf(isById ? 'all' : range, nowMs),
    end_timestamp: seconds(to) ?? endOf(range, nowMs),
  };
};
