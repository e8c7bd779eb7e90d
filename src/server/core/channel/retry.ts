import type { AppError, ErrorCode } from '../error.ts';

/** Statuses an upstream gives for what the caller sent: another channel would say the same. */
const CALLERS_MISTAKES: ReadonlySet<number> = new Set([400, 408, 413, 422]);
/** A proxy before the upstream has given up waiting: the upstream may still be at it. */
const GIVEN_UP: ReadonlySet<number> = new Set([504, 524]);

/** What goes wrong without a word of the upstream's about it. */
const UNSURE: ReadonlySet<ErrorCode> = new Set(['upstream_failed', 'upstream_timeout']);

/** What a retry is decided by, beside the failure. */
export interface RetryTerms {
  /** Asking twice does no more than asking once: nothing is drawn, kept or set going in the world. */
  readonly canRepeat: boolean;
  /** The channel's own reading of statuses. */
  readonly statusCodeMapping?: ReadonlyMap<number, number>;
}

/**
 * Whether another channel is worth asking after a failure that the caller has seen nothing of. Decided by the status
 * the upstream gave, as its channel reads it; where it gave none, by what went wrong. Where nobody knows whether the
 * upstream has done it, or is still at it, only what may be done twice is asked for again.
 */
export const isWorthAnother = (error: AppError, { canRepeat, statusCodeMapping }: RetryTerms): boolean => {
  if (error.code === 'client_closed') return false;
  const given = error.upstream?.status ?? 0;
  if (mayBeDone(error)) return canRepeat;
  if (given !== 0) return !CALLERS_MISTAKES.has(statusCodeMapping?.get(given) ?? given);
  if (error.upstream !== undefined) return error.code !== 'invalid_request';
  if (error.code === 'rate_limited' || error.code === 'unavailable') return true;
  return error.code === 'upstream_failed' || error.code === 'upstream_timeout';
};

/** Whether nobody knows if the upstream has done what it was asked for, or is still at it. */
export const mayBeDone = (error: AppError): boolean => {
  const given = error.upstream?.status ?? 0;
  if (given !== 0 || error.upstream !== undefined) return GIVEN_UP.has(given);
  return UNSURE.has(error.code) && !error.isUnsent;
};
