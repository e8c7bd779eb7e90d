import { LONGEST_COOL_MS } from './health.ts';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What is left of a limit, and when it begins anew. */
const PAIRS: readonly (readonly [remaining: string, reset: string])[] = [
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map(
    (of) => [`anthropic-ratelimit-${of}-remaining`, `anthropic-ratelimit-${of}-reset`] as const,
  ),
  ...['requests', 'tokens'].map((of) => [`x-ratelimit-remaining-${of}`, `x-ratelimit-reset-${of}`] as const),
  ['x-ratelimit-remaining', 'x-ratelimit-reset'],
];

/**
 * How long an upstream that answered will answer no more, as it says itself: what is left of one of its limits is 0, and
 * it names when that begins anew. 0 if nothing is used up, or the time is over or cannot be read; five minutes at most, so
 * that a wrong clock costs little. Sources: docs.anthropic.com, rate limits; platform.openai.com, rate limits.
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
/** Plain numbers from here on are moments, in seconds or, from the second on, in milliseconds; smaller ones are seconds. */
const [MOMENT_FROM, MOMENT_MS_FROM] = [1e9, 1e12];

/** `1s`, `6m0s`, `20ms`, a moment, seconds; 0 for what is over or cannot be read. */
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

/** What an upstream may ask for at most: who reads it takes less. */
const MOST_SECONDS = 999_999;

/**
 * For how long an upstream that refused asks to be left alone, in seconds as text: `retry-after-ms` (OpenAI, Azure), else
 * `Retry-After` in seconds or as a moment (RFC 9110, 10.2.3). Undefined if it says nothing, or what is over or cannot be read.
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

/** The three forms of a moment that HTTP has begin with the name of a day. */
const MOMENT = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*[, ]/i;

const secondsUntil = (text: string, nowMs: number): number => {
  const number = plainNumber(text);
  if (number !== undefined) return Number(number);
  const atMs = text.length <= LENGTH_MAX && MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(atMs) ? (atMs - nowMs) / 1000 : 0;
};
