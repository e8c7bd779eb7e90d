import type { AppError } from '../error.ts';

/** Statuses an upstream gives for what the caller sent: another channel would say the same. */
const CALLERS_MISTAKES: ReadonlySet<number> = new Set([400, 408, 413, 422]);
/** The upstream is still working on it, or has just given up after a long time: asking again would pay twice. */
const TOO_LATE: ReadonlySet<number> = new Set([504, 524]);

/**
 * Whether another channel is worth asking after a failure that the caller has seen nothing of. Decided by the status
 * the upstream gave; where it gave none, by what went wrong: a lost connection yes, a first byte that never came no.
 */
export const isWorthAnother = (error: AppError): boolean => {
  if (error.code === 'client_closed') return false;
  const status = error.upstream?.status ?? 0;
  if (status !== 0) return !CALLERS_MISTAKES.has(status) && !TOO_LATE.has(status);
  if (error.upstream !== undefined) return error.code !== 'invalid_request';
  return error.code === 'upstream_failed' || error.code === 'rate_limited' || error.code === 'unavailable';
};
