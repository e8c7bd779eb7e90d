import { AppError } from '#core/error.ts';

/** The upstream is at fault, and nothing it said says how: another channel may do better. */
export const upstreamFailed = (message: string): AppError =>
  new AppError('upstream_failed', message, { upstream: { status: 0, message } });
