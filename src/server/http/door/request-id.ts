import { ALPHANUMERIC, type Clock, type Random } from '#core/clock.ts';

const pad = (value: number, length: number): string => String(value).padStart(length, '0');

const START_LENGTH = 4;
/** All pairs of characters. */
const PAIRS: readonly string[] = ALPHANUMERIC.split('').flatMap((first) =>
  ALPHANUMERIC.split('').map((second) => first + second),
);

/** Added to a count to give it nine digits after the first. */
const COUNTS = 1e9;

/** Four random characters. */
const thrown = (random: Random): string => {
  const number = Math.floor(random.unit() * PAIRS.length * PAIRS.length);
  return (PAIRS[number % PAIRS.length] ?? '') + (PAIRS[Math.floor(number / PAIRS.length)] ?? '');
};

/**
 * Creates request ids: `yyyyMMddHHmmss` in UTC, a nine-digit counter within the second, four characters of this process
 * and four random ones. Unique in this process by the counter, and across processes by the characters. Not secret.
 */
export const createRequestIds = (clock: Clock, random: Random): (() => string) => {
  const start = random.alphanumeric(START_LENGTH);
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
    return `${prefix}${String(COUNTS + count).slice(1)}${start}${thrown(random)}`;
  };
};
