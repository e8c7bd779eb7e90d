import type { UsageFilter } from '#core/usage/usage-store.ts';
import { refuse } from '../../control/refuse.ts';

/** A stretch of time as it is asked for, in unix seconds; an end of 0 means now. */
export interface Span {
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

const SHORT_SPAN_MS = 2_592_000_000;

/** The stretch of time in milliseconds. */
export const spanUntil = (
  nowMs: number,
  { start_timestamp: start, end_timestamp: end }: Span,
): Pick<UsageFilter, 'fromMs' | 'toMs'> => ({ fromMs: start * 1000, toMs: end === 0 ? nowMs : end * 1000 });

/** Throws `invalid_request` for more than 30 days: what users ask for, and what is read from the logs. */
export const shortSpan = <Filter extends UsageFilter>(span: Filter): Filter => {
  if (span.toMs - span.fromMs > SHORT_SPAN_MS) throw refuse('data_span');
  return span;
};
