import { isMessageKey, type MessageKey, type Phrase, type PhraseValues, say } from '#contract/messages.ts';
import { AppError, type ErrorCode } from '#core/error.ts';

/** An error whose sentence is in the catalogue: the server says it in the caller's language. */
export const sayError = (
  code: ErrorCode,
  key: MessageKey,
  values: PhraseValues = {},
  details: { readonly cause?: unknown; readonly retryAfterSeconds?: number } = {},
): AppError => new AppError(code, say(key, 'en', values), { ...details, reason: key, values });

/** The one 429 of the control plane. */
export const tooMany = (retryAfterSeconds: number): AppError =>
  sayError('rate_limited', 'too_many_requests', {}, { retryAfterSeconds });

/** The business says no: wrong password, missing object, name taken. */
export const refuse = (key: MessageKey, values: PhraseValues = {}): AppError =>
  sayError('refused', key, values);

/** Why something was thrown, as part of another sentence: in the reader's language where it is from the catalogue. */
export const whyOf = (thrown: unknown): Phrase | string => {
  const reason = thrown instanceof AppError && thrown.upstream === undefined ? thrown.reason : undefined;
  if (thrown instanceof AppError && reason !== undefined && isMessageKey(reason))
    return { key: reason, values: thrown.values };
  return thrown instanceof Error ? thrown.message : String(thrown);
};
