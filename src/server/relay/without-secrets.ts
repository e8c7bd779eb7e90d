import { AppError } from '#core/error.ts';
import type { Secrets } from '#core/secrets.ts';

/** An error as it may be shown and kept: an upstream's words, or a provider's about them, may hold a key. */
export const withoutSecrets = (error: AppError, secrets: Secrets): AppError => {
  const { code, message, cause, param, retryAfterSeconds, reason, upstream, values } = error;
  const told = { message, param, reason, upstream };
  const before = JSON.stringify(told);
  if (secrets.maskText(before) === before) return error;
  const masked = maskedIn(told, secrets);
  return new AppError(code, masked.message, {
    cause,
    values,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(masked.param !== undefined && { param: masked.param }),
    ...(masked.reason !== undefined && { reason: masked.reason }),
    ...(masked.upstream !== undefined && { upstream: masked.upstream }),
  });
};

/** A value with every text in it masked; nothing but texts and names changes. */
const maskedIn = <Value>(value: Value, secrets: Secrets): Value =>
  JSON.parse(secrets.mask(Buffer.from(JSON.stringify(value))).toString()) as Value;
