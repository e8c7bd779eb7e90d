import { AppError } from '#core/error.ts';

/** The error for a field with which an upstream can do nothing, so that it would be dropped in silence. */
export const cannot = (param: string, why: string): AppError =>
  new AppError('invalid_request', `${param}: ${why}`, { param });
