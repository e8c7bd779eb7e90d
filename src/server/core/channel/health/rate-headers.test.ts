import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfterOf, usedUpMs } from './rate-headers.ts';

const NOW_MS = Date.parse('2026-11-23T10:00:00Z');
const openai = (remaining: string, reset: string) =>
  usedUpMs({ 'x-ratelimit-remaining-requests': remaining, 'x-ratelimit-reset-requests': reset }, NOW_MS);
const anthropic = (remaining: string, reset: string) =>
  usedUpMs(
    { 'anthropic-ratelimit-tokens-remaining': remaining, 'anthropic-ratelimit-tokens-reset': reset },
    NOW_MS,
  );

test.each([
  ['0', '1s', 1000],
  ['0', '20ms', 20],
  ['0', '1m30.5s', 90_500],
  ['0', '7', 7000],
  ['0', String(NOW_MS / 1000 + 12), 12_000],
  ['0', String(NOW_MS + 12_000), 12_000],
  ['1', '6m0s', 0],
  ['0', '', 0],
  ['0', 'soon', 0],
  ['0', '365d', 300_000],
  ['0', '1'.repeat(50), 0],
  ['', '1s', 0],
  ['-1', '1s', 0],
])('%s left until %s: %i ms', (remaining, reset, expected) => {
  expect(openai(remaining, reset)).toBeCloseTo(expected, 3);
});

test('a reset time is waited for, at most five minutes, and not if it is past', () => {
  expect(anthropic('0', '2026-11-23T10:00:30Z')).toBe(30_000);
  expect(anthropic('0', '2026-11-23T09:59:30Z')).toBe(0);
  expect(anthropic('0', '2027-11-23T10:00:00Z')).toBe(300_000);
  expect(anthropic('5', '2026-11-23T10:00:30Z')).toBe(0);
});

test('the longest of several counts; lists and what is missing do not', () => {
  expect(
    usedUpMs(
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '2s',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '9s',
        'anthropic-ratelimit-requests-remaining': ['0', '0'],
      },
      NOW_MS,
    ),
  ).toBe(9000);
  expect(usedUpMs({ 'x-ratelimit-remaining-requests': '0' }, NOW_MS)).toBe(0);
});

test.each<[string, Readonly<Record<string, string>>, number]>([
  [
    'Cerebras, tokens of a minute',
    { 'x-ratelimit-remaining-tokens-minute': '0', 'x-ratelimit-reset-tokens-minute': '2.31' },
    2310,
  ],
  [
    'Cerebras, calls of a day',
    { 'x-ratelimit-remaining-requests-day': '0', 'x-ratelimit-reset-requests-day': '24482.31' },
    300_000,
  ],
  [
    'Mistral, which tells no reset',
    { 'x-ratelimit-limit-req-minute': '360', 'x-ratelimit-remaining-req-minute': '0' },
    60_000,
  ],
  ['Mistral, tokens of a month', { 'x-ratelimit-remaining-tokens-month': '0' }, 0],
  ['who has no limit', { 'x-ratelimit-limit-req-minute': '0', 'x-ratelimit-remaining-req-minute': '0' }, 0],
  [
    'DigitalOcean',
    {
      'x-ratelimit-remaining-tokens-per-minute': '0',
      'x-ratelimit-reset-tokens-per-minute': String(NOW_MS / 1000 + 5),
    },
    5000,
  ],
  [
    'OpenAI, of a project',
    { 'x-ratelimit-remaining-project-tokens': '0', 'x-ratelimit-reset-project-tokens': '6s' },
    6000,
  ],
  ['OpenRouter', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW_MS + 4000) }, 4000],
  [
    'Fireworks',
    { 'x-ratelimit-remaining-tokens-prompt': '0', 'x-ratelimit-reset-tokens-prompt': '3s' },
    3000,
  ],
  [
    'Azure, in milliseconds',
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '60000',
      'x-ratelimit-renewalperiod-requests': '60',
    },
    60_000,
  ],
  [
    'Azure, in seconds',
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '12',
      'x-ratelimit-renewalperiod-requests': '60',
    },
    12_000,
  ],
  [
    'Hugging Face',
    { ratelimit: '"api";r=0;t=70', 'ratelimit-policy': '"fixed window";"api";q=500;w=300' },
    70_000,
  ],
  ['two limits in a list', { ratelimit: '"day";r=9;t=7000, "minute";r=0;t=8' }, 8000],
  ['an early draft', { ratelimit: 'limit=100, remaining=0, reset=50' }, 50_000],
  ['an early draft with calls left', { ratelimit: 'limit=100, remaining=10, reset=50' }, 0],
  ['the first draft', { 'ratelimit-remaining': '0', 'ratelimit-reset': '9' }, 9000],
])('a limit that is used up is read as %s writes it', (_, headers, expected) => {
  expect(usedUpMs(headers, NOW_MS)).toBeCloseTo(expected, 3);
});

test('without a reset time the rest of the current minute is waited for', () => {
  expect(usedUpMs({ 'x-ratelimit-remaining-req-minute': '0' }, NOW_MS + 45_000)).toBe(15_000);
});

test('whatever an upstream sends, the time is from 0 to five minutes', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (remaining, reset) => {
      const list = usedUpMs({ ratelimit: remaining + reset }, NOW_MS);
      for (const each of [openai(remaining, reset), openai('0', reset), anthropic('0', reset), list]) {
        expect(each).toBeGreaterThanOrEqual(0);
        expect(each).toBeLessThanOrEqual(300_000);
      }
    }),
  );
});

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['seconds', { 'retry-after': ' 7 ' }, '7'],
  ['parts of seconds, rounded up', { 'retry-after': '0.2' }, '1'],
  ['milliseconds', { 'retry-after-ms': '1500' }, '2'],
  ['milliseconds before seconds', { 'retry-after-ms': '1500', 'retry-after': '60' }, '2'],
  ['a moment', { 'retry-after': 'Mon, 23 Nov 2026 10:00:30 GMT' }, '30'],
  ['a moment in the oldest form', { 'retry-after': 'Mon Nov 23 10:00:30 2026 GMT' }, '30'],
  ['a moment that is past', { 'retry-after': 'Mon, 23 Nov 2026 09:59:30 GMT' }, undefined],
  ['a year', { 'retry-after': '31536000' }, '999999'],
  ['a moment in a hundred years', { 'retry-after': 'Mon, 23 Nov 2126 10:00:30 GMT' }, '999999'],
  ['more digits than a number has', { 'retry-after': '9'.repeat(400) }, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['nothing', { 'retry-after': '0' }, undefined],
  ['no such header', {}, undefined],
])('an upstream that refused asks for %s', (_, headers, expected) => {
  expect(retryAfterOf(headers, NOW_MS)).toBe(expected);
});

test('what is longer than any real header is not read', () => {
  const list = (length: number) => usedUpMs({ ratelimit: '"a";r=0;t=70'.padEnd(length, ' ') }, NOW_MS);
  expect([list(500), list(501)]).toEqual([70_000, 0]);
  const moment = '23 Nov 2026 10:00:30 GMT';
  const after = (length: number) =>
    retryAfterOf({ 'retry-after': 'Mon,'.padEnd(length - moment.length) + moment }, NOW_MS);
  expect([after(40), after(41)]).toEqual(['30', undefined]);
});
