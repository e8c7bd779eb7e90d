import type { Kysely } from 'kysely';
import { matching, type Numbers, type Span } from './log-filter.ts';
import type { Schema } from './schema.ts';
import { hourOf, startOfHour } from './usage-sums.ts';

/** How many rows of an hour match, what they cost, and the part of the hour that is meant. */
export interface HourCount extends Span {
  readonly rows: number;
  readonly quotaUnits: number;
}

const FURTHEST_HOUR = hourOf(Number.MAX_SAFE_INTEGER);

const isWhole = ({ fromMs, toMs }: Span, hour: number): boolean =>
  fromMs <= startOfHour(hour) && toMs >= startOfHour(hour + 1) - 1;

const onlyType = (numbers: Numbers): boolean =>
  Object.entries(numbers).every(([column, value]) => column === 'type' || value === undefined);

const countPart = async (reader: Kysely<Schema>, numbers: Numbers, part: Span): Promise<HourCount> => {
  const { rows, quota } = await reader
    .selectFrom('logs')
    .select((is) => [is.fn.countAll<number>().as('rows'), is.fn.sum<number | null>('quota').as('quota')])
    .where('created_at', '>=', part.fromMs)
    .where('created_at', '<=', part.toMs)
    .where(matching(numbers))
    .executeTakeFirstOrThrow();
  return { ...part, rows, quotaUnits: quota ?? 0 };
};

/**
 * Counts matching rows hour by hour, newest first, hours without any left out. Whole hours come from the hourly sums;
 * only an hour the span cuts is counted row by row.
 */
export const countByHour = async (
  reader: Kysely<Schema>,
  numbers: Numbers,
  span: Span,
): Promise<HourCount[]> => {
  const [first, last] = [hourOf(span.fromMs), Math.min(hourOf(span.toMs), FURTHEST_HOUR)];
  const hours = await reader
    // Only the type: the totals of an hour say it without everybody's sums.
    .selectFrom(onlyType(numbers) ? 'log_hours' : 'usage_hours')
    .select((is) => [
      'hour',
      is.fn.sum<number>('log_rows').as('rows'),
      is.fn.sum<number>('log_quota').as('quota'),
    ])
    .where('hour', '>=', first)
    .where('hour', '<=', last)
    .where(matching(numbers))
    .groupBy('hour')
    .orderBy('hour', 'desc')
    .execute();
  const counts = await Promise.all(
    hours.map(async ({ hour, rows, quota }): Promise<HourCount> => {
      const part = {
        fromMs: Math.max(span.fromMs, startOfHour(hour)),
        toMs: Math.min(span.toMs, startOfHour(hour + 1) - 1),
      };
      if (rows === 0 || isWhole(span, hour)) return { ...part, rows, quotaUnits: quota };
      return countPart(reader, numbers, part);
    }),
  );
  return counts.filter(({ rows }) => rows > 0);
};
