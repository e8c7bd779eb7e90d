import type { Clock, Random } from '#core/clock.ts';

const pad = (value: number, length: number): string => String(value).padStart(length, '0');

/**
 * Ids of requests: `yyyyMMddHHmmss` in UTC, nine digits that count within the second, eight random characters. Unique
 * in this process and, with the random part, among all.
 */
export const createRequestIds = (clock: Clock, random: Random): (() => string) => {
  let second = -1;
  let prefix = '';
  let count = 0;
  return () => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      second = now;
      count = 0;
      const date = new Date(now * 1000);
      prefix =
        pad(date.getUTCFullYear(), 4) +
        pad(date.getUTCMonth() + 1, 2) +
        pad(date.getUTCDate(), 2) +
        pad(date.getUTCHours(), 2) +
        pad(date.getUTCMinutes(), 2) +
        pad(date.getUTCSeconds(), 2);
    }
    count += 1;
    return `${prefix}${pad(count, 9)}${random.alphanumeric(8)}`;
  };
};
