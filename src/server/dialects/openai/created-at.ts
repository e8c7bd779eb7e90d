/** The last second that a date can represent. */
const LAST_SECOND = 8_640_000_000_000;

/** The creation time of a response in milliseconds; nothing if impossible. */
export const createdAt = (seconds: unknown): { readonly createdAtMs?: number } =>
  typeof seconds === 'number' && seconds > 0 && seconds <= LAST_SECOND
    ? { createdAtMs: Math.trunc(seconds * 1000) }
    : {};
