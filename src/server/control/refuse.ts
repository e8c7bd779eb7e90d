import { type MessageKey, say } from '#contract/messages.ts';
import { AppError, type ErrorCode } from '#core/error.ts';

type Values = Readonly<Record<string, string | number>>;

/** An error whose sentence is in the catalogue: the server says it in the caller's language. */
export const sayError = (
  code: ErrorCode,
  key: MessageKey,
  values: Values = {},
  details: { readonly cause?: unknown; readonly retryAfterSeconds?: number } = {},
): AppError => new AppError(code, say(key, 'en', values), { ...details, reason: key, values });

/** The one 429 of the control plane. */
export const tooMany = (retryAfterSeconds: number): AppError =>
  sayError('rate_limited', 'too_many_requests', {}, { retryAfterSeconds });

/** The business says no: wrong password, missing object, name taken. */
export const refuse = (key: MessageKey, values: Values = {}): AppError => sayError('refused', key, values);
