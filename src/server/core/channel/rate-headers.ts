import { LONGEST_COOL_MS } from './health.ts';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The header for what is left of a limit, and the one for when the limit is reset. */
const PAIRS: readonly (readonly [remaining: string, reset: string])[] = [
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map(
    (of) => [`anthropic-ratelimit-${of}-remaining`, `anthropic-ratelimit-${of}-reset`] as const,
  ),
  ...['requests', 'tokens'].map((of) => [`x-ratelimit-remaining-${of}`, `x-ratelimit-reset-${of}`] as const),
  ['x-ratelimit-remaining', 'x-ratelimit-reset'],
];

/**
 * How long an upstream that answered will refuse calls, by its own headers: one of its limits has 0 left, and the
 * header names the reset. 0 if nothing is used up, or the time is past or unreadable; at most five minutes, so that a
 * wrong clock costs little. Sources: docs.anthropic.com, rate limits; platform.openai.com, rate limits.
 * @param nowMs wall clock
 */
export const usedUpMs = (headers: Headers, nowMs: number): number => {
  let longestMs = 0;
  for (const [remaining, reset] of PAIRS) {
    const left = headers[remaining];
    if (typeof left !== 'string' || !/^\s*0+(?:\.0*)?\s*$/.test(left)) continue;
    const at = headers[reset];
    if (typeof at === 'string') longestMs = Math.max(longestMs, waitMs(at.trim(), nowMs));
  }
  return Math.min(longestMs, LONGEST_COOL_MS);
};

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LENGTH_MAX = 40;
/**
 * Plain numbers from the first value on are Unix times in seconds, from the second on in milliseconds; smaller ones are
 * durations in seconds.
 */
const [MOMENT_FROM, MOMENT_MS_FROM] = [1e9, 1e12];

/** Reads `1s`, `6m0s`, `20ms`, a date or seconds; 0 if past or unreadable. */
const waitMs = (text: string, nowMs: number): number => {
  if (text.length > LENGTH_MAX) return 0;
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (number < MOMENT_FROM) return number * 1000;
    return Math.max(0, (number < MOMENT_MS_FROM ? number * 1000 : number) - nowMs);
  }
  if (/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text))
    return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
      (sum, [, count, unit = '']) => sum + Number(count) * (UNIT_MS[unit] ?? 0),
      0,
    );
  const atMs = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(atMs) ? Math.max(0, atMs - nowMs) : 0;
};

/** The longest pause that is read from a header; code that uses it accepts less. */
const MOST_SECONDS = 999_999;

/**
 * How long an upstream that refused asks to be left alone, in seconds as text: `retry-after-ms` (OpenAI, Azure), else
 * `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). Undefined if missing, past or unreadable.
 * @param nowMs wall clock
 */
export const retryAfterOf = (headers: Headers, nowMs: number): string | undefined => {
  const ms = Number(plainNumber(headers['retry-after-ms'])) / 1000;
  const text = headers['retry-after'];
  const seconds = ms > 0 ? ms : typeof text === 'string' ? secondsUntil(text.trim(), nowMs) : 0;
  return seconds > 0 ? String(Math.min(Math.ceil(seconds), MOST_SECONDS)) : undefined;
};

const plainNumber = (value: Headers[string]): string | undefined =>
  typeof value === 'string' && /^\s*\d{1,20}(?:\.\d{1,20})?\s*$/.test(value) ? value : undefined;

/** All three HTTP date formats begin with a weekday. */
const MOMENT = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*[, ]/i;

const secondsUntil = (text: string, nowMs: number): number => {
  const number = plainNumber(text);
  if (number !== undefined) return Number(number);
  const atMs = text.length <= LENGTH_MAX && MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(atMs) ? (atMs - nowMs) / 1000 : 0;
};
