import { expect, test } from 'vitest';
import { formatTime } from '../../lib/format.ts';
import { newToken, type TokenValues } from './token-form.ts';
import { validateToken } from './validate-token.ts';

const NOW_MS = Date.UTC(2030, 0, 2, 3, 4, 5);
const good: TokenValues = { ...newToken(false), name: 'mine' };
const problems = (changes: Partial<TokenValues>, before?: TokenValues) =>
  validateToken({ ...good, ...changes }, { before, nowMs: NOW_MS }, (key) => key);

test('a new token with a name is fine, and so are the ends of what is allowed', () => {
  expect(newToken(false).count).toBe(1);
  for (const changes of [
    {},
    { count: 100 },
    { quota: 0 },
    { expiry: '-1' },
    { limitsModels: true, models: ['m'] },
  ])
    expect(problems(changes)).toEqual({});
});

test.each([
  [{ name: ' ' }, { name: 'invalid.name' }],
  ...[0, -1, 1.5, 101, undefined].map((count) => [{ count }, { count: 'invalid.count' }] as const),
  [{ quota: -0.5 }, { quota: 'invalid.quota' }],
  [{ quota: undefined }, { quota: 'invalid.quotaNeeded' }],
  [{ limitsModels: true }, { models: 'invalid.models' }],
  [{ expiry: 'tomorrow' }, { expiry: 'invalid.expiry' }],
  [{ expiry: formatTime(NOW_MS / 1000) }, { expiry: 'invalid.past' }],
  [{ ips: '10.0.0.1\nhost' }, { ips: 'invalid.ip' }],
] as const)('%j: %j', (changes, expected) => {
  expect(problems(changes as Partial<TokenValues>)).toEqual(expected);
});

test('an unlimited token needs no quota; an edit makes no copies and keeps an expiry that has passed', () => {
  expect(problems({ unlimited: true, quota: undefined })).toEqual({});
  const expired = { ...good, expiry: formatTime(NOW_MS / 1000 - 60) };
  expect(problems({ count: 0, expiry: expired.expiry }, expired)).toEqual({});
  expect(problems({ expiry: formatTime(NOW_MS / 1000) }, expired)).toEqual({ expiry: 'invalid.past' });
});
