import { ANSWER_LOST, ANSWER_TOO_LONG, type AppError, type ErrorCode, withUpstream } from '../../error.ts';

/** Upstream statuses for the caller's mistakes: another channel would answer the same. */
const CALLERS_MISTAKES: ReadonlySet<number> = new Set([400, 408, 413, 422]);
/** A proxy in front of the upstream timed out: the upstream may still be working. */
const GIVEN_UP: ReadonlySet<number> = new Set([504, 524]);

/** Failures without any response from the upstream. */
const UNSURE: ReadonlySet<ErrorCode> = new Set(['upstream_failed', 'upstream_timeout']);

/** The reason of an error: the upstream executed the call, but we had no memory for its answer. */
export const NO_ROOM_FOR_ANSWER = 'no_room_for_answer';

/** What a retry decision depends on, besides the failure. */
export interface RetryTerms {
  /** Whether doing the call twice has no further effect: it creates no image, stores nothing and starts nothing. */
  readonly canRepeat: boolean;
  /** The channel's own status mapping. */
  readonly statusCodeMapping?: ReadonlyMap<number, number>;
}

/**
 * Whether to retry on another channel while the caller has seen nothing of the response. Decided by the upstream's
 * status, as its channel maps it; without a status, by the kind of failure. If the upstream may have done the call, or
 * may still be working on it, only repeatable calls are retried.
 */
export const isWorthAnother = (error: AppError, { canRepeat, statusCodeMapping }: RetryTerms): boolean => {
  if (error.code === 'client_closed' || error.reason === NO_ROOM_FOR_ANSWER) return false;
  if (error.reason === ANSWER_TOO_LONG) return false;
  const given = error.upstream?.status ?? 0;
  if (mayBeDone(error)) return canRepeat;
  if (given !== 0) return !CALLERS_MISTAKES.has(statusCodeMapping?.get(given) ?? given);
  if (error.upstream !== undefined) return error.code !== 'invalid_request';
  if (error.code === 'rate_limited' || error.code === 'unavailable') return true;
  return error.code === 'upstream_failed' || error.code === 'upstream_timeout';
};

/** The error with the status that the channel's mapping gives it, which callers see in every format. */
export const withMappedStatus = (
  error: AppError,
  { statusCodeMapping }: Required<Pick<RetryTerms, 'statusCodeMapping'>>,
): AppError => {
  const { upstream } = error;
  const reportedStatus = statusCodeMapping.get(upstream?.status ?? 0);
  return upstream === undefined || reportedStatus === undefined
    ? error
    : withUpstream(error, { ...upstream, reportedStatus });
};

/** Whether the upstream may have done the call, or may still be working on it. */
export const mayBeDone = (error: AppError): boolean => {
  const given = error.upstream?.status ?? 0;
  if (error.reason === ANSWER_LOST || error.reason === ANSWER_TOO_LONG) return true;
  if (given !== 0 || error.upstream !== undefined) return GIVEN_UP.has(given);
  return UNSURE.has(error.code) && !error.isUnsent;
};

/** Whether the upstream may charge for a failed call: it may have executed it, or its answer could not be read. */
export const mayBeCharged = (error: AppError): boolean =>
  mayBeDone(error) || error.upstream?.isUnread === true;

/** Whether there was no answer: no connection, nothing in time, or a gateway timeout. */
export const isSilence = (error: AppError): boolean => {
  const given = error.upstream?.status ?? 0;
  return error.upstream === undefined ? UNSURE.has(error.code) : GIVEN_UP.has(given);
};
