import { tooLate } from '#core/channel/health/patience.ts';
import { AppError, asUnsent, unavailable } from '#core/error.ts';
import { NotConnected } from './http1/connect.ts';

/** Error codes for a shortage on this machine: open files, buffers, memory. They say nothing about the host. */
const OWN_SHORTAGES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

const codeOf = (thrown: Error): unknown => ('code' in thrown ? thrown.code : undefined);

/** An error that is ours, and so counts against no channel; undefined for one of the host or the way there. */
export const ownShortage = (thrown: Error): AppError | undefined =>
  OWN_SHORTAGES.has(codeOf(thrown)) ? asUnsent(unavailable(thrown)) : undefined;

/** What it means for a call that a connection could not be opened or broke. */
export const connectionFailure = (thrown: Error): AppError => {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof NotConnected) return tooLate('connection', thrown.limitMs, thrown);
  // With several addresses, the last one may time out before our own limit.
  if (codeOf(thrown) === 'ETIMEDOUT')
    return new AppError('upstream_timeout', 'the upstream could not be reached in time', { cause: thrown });
  return (
    ownShortage(thrown) ??
    new AppError('upstream_failed', `the connection to the upstream failed${codeTold(thrown)}`, {
      cause: thrown,
    })
  );
};

/**
 * The error's code in brackets, for operators to search for: `ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`. The
 * rest of the message names the address, which callers must not see.
 */
const codeTold = (thrown: Error): string => {
  const code = codeOf(thrown);
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? ` (${code})` : '';
};
