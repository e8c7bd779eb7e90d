import { AppError } from '#core/error.ts';

const AGAIN_AFTER_SECONDS = 2;

/** The error for a call made while the database does not answer. */
export const storeBusy = (cause: unknown): AppError =>
  new AppError('unavailable', 'the server is busy, try again in a moment', {
    cause,
    retryAfterSeconds: AGAIN_AFTER_SECONDS,
  });
