import { ANSWER_LOST, ANSWER_TOO_LONG, type AppError, type ErrorCode, withUpstream } from '../../error.ts';
import { keyVerdict } from '../keys/key-verdict.ts';
import { isRedirect } from './blame.ts';
import { NOBODY_THERE, NOT_TAKEN } from './failure-effects.ts';

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
  if (isUnfit(error)) return true;
  const given = error.upstream?.status ?? 0;
  if (mayBeDone(error)) return canRepeat;
  // Some upstreams say with a 400 that the account has no money.
  if (CALLERS_MISTAKES.has(given) && keyVerdict(error) !== undefined) return true;
  if (given !== 0) return !CALLERS_MISTAKES.has(statusCodeMapping?.get(given) ?? given);
  if (error.upstream !== undefined) return error.code !== 'invalid_request';
  if (error.code === 'rate_limited' || error.code === 'unavailable') return true;
  return error.code === 'upstream_failed' || error.code === 'upstream_timeout';
};

/** Whether a body could not be written for one kind of upstream, and was not sent: another kind may take it. */
const isUnfit = (error: AppError): boolean => error.code === 'invalid_request' && error.isUnsent;

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

/**
 * Whether no upstream accepted the call: no answer or connection, a redirect, a gateway that reaches no server or shows
 * a web page, an upstream that is overloaded or at a limit, or a refused key. An unreadable answer counts the same.
 * Such an answer, or a gateway's error, may come after the call was executed, so those calls are not repeated.
 */
export const isUntaken = (error: AppError, canRepeat: boolean): boolean => {
  if (error.upstream === undefined) return UNSURE.has(error.code) || isUnfit(error);
  const { status, isUnread, isPage } = error.upstream;
  if (NOBODY_THERE.has(status) || isUnread === true) return canRepeat;
  if (NOT_TAKEN.has(status) || isRedirect(status)) return true;
  // A server that fails may show a page instead of JSON, after having done the call.
  if (isPage === true) return status < 500 || canRepeat;
  return error.code === 'unavailable' || keyVerdict(error) !== undefined;
};

/** A connection that fails within this time costs no wait. */
const NO_WAIT_MS = 2000;

/**
 * Whether the caller has waited in vain: it was late, a connection was lost after a while, or a proxy before the upstream
 * gave up.
 */
export const isWaitedFor = ({ code, upstream }: AppError, tookMs: number): boolean => {
  if (upstream !== undefined) return GIVEN_UP.has(upstream.status);
  return code === 'upstream_timeout' || tookMs >= NO_WAIT_MS;
};
