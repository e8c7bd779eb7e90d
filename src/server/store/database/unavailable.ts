import { AppError } from '#core/error.ts';

const AGAIN_AFTER_SECONDS = 2;

/** A database failure as callers see it: 503, whatever it was. */
export const unavailable = (cause: unknown): AppError =>
  new AppError('unavailable', 'the database is not available', {
    cause,
    retryAfterSeconds: AGAIN_AFTER_SECONDS,
  });
