import { LONGEST_COOL_MS } from './health.ts';
import { MINUTE_MS } from '../../time/spans.ts';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Part of the name of every rate limit header. OpenAI, Groq, Azure: `x-ratelimit-remaining-requests`. With the window
 * appended: Cerebras (`-tokens-minute`, `-requests-day`), Mistral (`-req-minute`), DigitalOcean
 * (`-tokens-per-minute`). Without `x-` or a kind: OpenRouter, Together, IETF drafts. Anthropic:
 * `anthropic-ratelimit-tokens-remaining`.
 */
const FAMILY = 'ratelimit';
const REMAINING = 'remaining';
const OF_MINUTE = /-minute$/;

/**
 * How long an upstream that answered will refuse further calls, according to its headers: some limit has 0 left, and
 * the matching header names the reset. Without one, a limit per minute ends with the minute of the clock. 0 if no
 * limit is used up, or its time is past or unreadable; at most five minutes, so that a wrong clock costs little.
 * @param nowMs wall clock
 */
export const usedUpMs = (headers: Headers, nowMs: number): number => {
  let longestMs = 0;
  // Called for every reply: faster than looking up every name that is known.
  for (const name of Object.keys(headers)) {
    if (!name.includes(FAMILY)) continue;
    const value = headers[name];
    if (typeof value !== 'string') continue;
    if (name === FAMILY) longestMs = Math.max(longestMs, usedUpOfList(value));
    else if (name.includes(REMAINING) && NOTHING_LEFT.test(value))
      longestMs = Math.max(longestMs, usedUpOf(headers, name, nowMs));
  }
  return Math.min(longestMs, LONGEST_COOL_MS);
};

const NOTHING_LEFT = /^\s*0+(?:\.0*)?\s*$/;

/** @param name the header with the remaining count; its siblings have another word in its place */
const usedUpOf = (headers: Headers, name: string, nowMs: number): number => {
  const beside = (word: string): string | undefined => {
    const value = headers[name.replace(REMAINING, word)];
    return typeof value === 'string' ? value.trim() : undefined;
  };
  // An upstream that answers although the limit is 0 has no such limit.
  if (NOTHING_LEFT.test(beside('limit') ?? '')) return 0;
  const reset = beside('reset');
  if (reset === undefined) return OF_MINUTE.test(name) ? MINUTE_MS - (nowMs % MINUTE_MS) : 0;
  const periodSeconds = Number(plainNumber(beside('renewalperiod')));
  // Azure gives some resets in seconds and some in milliseconds, and the window's length in seconds.
  return Math.min(waitMs(reset, nowMs), periodSeconds > 0 ? periodSeconds * 1000 : Infinity);
};

/** `"api";r=0;t=70`, earlier `limit=100, remaining=0, reset=50`: all in seconds (IETF draft-ietf-httpapi-ratelimit-headers). */
const usedUpOfList = (list: string): number => {
  if (list.length > LIST_MAX) return 0;
  let longestMs = 0;
  for (const limit of list.includes(';') ? list.split(',') : [list]) {
    const left = /(?:^|[;,\s])(?:r|remaining)\s*=\s*(\d+)/.exec(limit)?.[1];
    const seconds = /(?:^|[;,\s])(?:t|reset)\s*=\s*(\d+)/.exec(limit)?.[1];
    if (left !== undefined && Number(left) === 0)
      longestMs = Math.max(longestMs, Number(seconds ?? 0) * 1000);
  }
  return longestMs;
};

const LIST_MAX = 500;
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
    return [...text.matchAll(/(?<![\d.])(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
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
