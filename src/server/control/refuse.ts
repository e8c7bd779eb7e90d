import { isMessageKey, type MessageKey, type Phrase, type PhraseValues, say } from '#contract/messages.ts';
import { AppError, type ErrorCode } from '#core/error.ts';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';

/** An error with a key of the message table, translated into the caller's language when it is sent. */
export const sayError = (
  code: ErrorCode,
  key: MessageKey,
  values: PhraseValues = {},
  details: { readonly cause?: unknown; readonly retryAfterSeconds?: number } = {},
): AppError => new AppError(code, say(key, 'en', values), { ...details, reason: key, values });

/** Counts one action. Throws the 429 of the control plane if there were too many. */
export const countOrRefuse = async (limit: Pick<RateLimiter, 'take'>, key: string): Promise<void> => {
  const { ok, retryAfterSeconds } = await limit.take(key);
  if (!ok) throw sayError('rate_limited', 'too_many_requests', {}, { retryAfterSeconds });
};

/** Refuses a well-formed request: wrong password, missing object, name taken. */
export const refuse = (key: MessageKey, values: PhraseValues = {}): AppError =>
  sayError('refused', key, values);

/** The reason of an error for use in another message: translated if it is from the message table. */
export const whyOf = (thrown: unknown): Phrase | string => {
  const reason = thrown instanceof AppError && thrown.upstream === undefined ? thrown.reason : undefined;
  if (thrown instanceof AppError && reason !== undefined && isMessageKey(reason))
    return { key: reason, values: thrown.values };
  return thrown instanceof Error ? thrown.message : String(thrown);
};
