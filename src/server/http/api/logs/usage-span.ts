import type { UsageFilter } from '#core/usage/usage-store.ts';
import { refuse } from '../../../control/refuse.ts';

/** A requested time span in unix seconds; an end of 0 means now. */
export interface Span {
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

const SHORT_SPAN_MS = 2_592_000_000;

/** The time span in milliseconds. */
export const spanUntil = (
  nowMs: number,
  { start_timestamp: start, end_timestamp: end }: Span,
): Pick<UsageFilter, 'fromMs' | 'toMs'> => ({ fromMs: start * 1000, toMs: end === 0 ? nowMs : end * 1000 });

/** Throws `invalid_request` for more than 30 days, the limit for users and for reading the logs. */
export const shortSpan = <Filter extends UsageFilter>(span: Filter): Filter => {
  if (span.toMs - span.fromMs > SHORT_SPAN_MS) throw refuse('data_span');
  return span;
};
