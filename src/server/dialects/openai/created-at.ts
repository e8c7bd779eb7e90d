/** The last second a date can name. */
const LAST_SECOND = 8_640_000_000_000;

/** When a reply says it was made, in milliseconds; nothing for a time that cannot be. */
export const createdAt = (seconds: unknown): { readonly createdAtMs?: number } =>
  typeof seconds === 'number' && seconds > 0 && seconds <= LAST_SECOND
    ? { createdAtMs: Math.trunc(seconds * 1000) }
    : {};
