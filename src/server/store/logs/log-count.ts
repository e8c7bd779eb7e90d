import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { matching } from './log-filter.ts';
import type { Numbers, Span } from './log-filter.ts';
import type { Schema } from '../database/schema.ts';
import { DAY_MS, HOUR_MS } from '#core/time/spans.ts';

/** The number of matching rows in a period, and their cost. */
export interface StretchCount extends Span {
  readonly rows: number;
  readonly quotaUnits: number;
}

const countRows = async (reader: Kysely<Schema>, numbers: Numbers, part: Span): Promise<StretchCount> => {
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
 * Filters by user, token or program need the hourly sums; for others the daily sums suffice, and there are far fewer.
 */
const sumsFor = ({ user_id, token_id, token_name_id, program_id }: Numbers) =>
  [user_id, token_id, token_name_id, program_id].every((one) => one === undefined)
    ? ({ table: 'log_days', column: 'day', lengthMs: DAY_MS } as const)
    : ({ table: 'usage_hours', column: 'hour', lengthMs: HOUR_MS } as const);

/**
 * Counts matching rows by hour or day, newest first, leaving out empty ones. Whole ones come from the sums; only the
 * one or two that the span cuts are counted row by row.
 */
export const countByStretch = async (
  reader: Kysely<Schema>,
  numbers: Numbers,
  span: Span,
): Promise<StretchCount[]> => {
  const { table, column, lengthMs } = sumsFor(numbers);
  const stretch = sql.ref<number>(column);
  const sums = await reader
    .selectFrom(table)
    .select((is) => [
      stretch.as('stretch'),
      is.fn.sum<number>('log_rows').as('rows'),
      is.fn.sum<number>('log_quota').as('quota'),
    ])
    .where(stretch, '>=', Math.floor(span.fromMs / lengthMs))
    .where(stretch, '<=', Math.floor(span.toMs / lengthMs))
    .where(matching(numbers))
    .groupBy(stretch)
    .orderBy(stretch, 'desc')
    .execute();
  const counts = await Promise.all(
    sums.map(async ({ stretch: at, rows, quota }): Promise<StretchCount> => {
      const whole = { fromMs: at * lengthMs, toMs: (at + 1) * lengthMs - 1 };
      const part = { fromMs: Math.max(span.fromMs, whole.fromMs), toMs: Math.min(span.toMs, whole.toMs) };
      const cut = part.fromMs > whole.fromMs || part.toMs < whole.toMs;
      return cut && rows > 0 ? countRows(reader, numbers, part) : { ...part, rows, quotaUnits: quota };
    }),
  );
  return counts.filter(({ rows }) => rows > 0);
};
