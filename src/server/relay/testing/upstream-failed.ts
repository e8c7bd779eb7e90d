import { AppError } from '#core/error.ts';

/** The upstream failed without saying why: another channel may work. */
export const upstreamFailed = (message: string): AppError =>
  new AppError('upstream_failed', message, { upstream: { status: 0, message } });
