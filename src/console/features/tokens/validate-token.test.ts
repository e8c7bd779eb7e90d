import { expect, test } from 'vitest';
import { formatTime } from '../../lib/text/format.ts';
import { newToken, type TokenValues } from './token-form.ts';
import { validateToken } from './validate-token.ts';

const NOW_MS = Date.UTC(2030, 0, 2, 3, 4, 5);
const good: TokenValues = { ...newToken(false), name: 'mine' };
const problems = (changes: Partial<TokenValues>, before?: TokenValues) =>
  validateToken({ ...good, ...changes }, { before, nowMs: NOW_MS }, (key) => key);

test('accepts a new token with a name, and the limits of the allowed ranges', () => {
  expect(newToken(false).count).toBe(1);
  for (const changes of [
    {},
    { count: 100 },
    { remain_quota: 0 },
    { expired_time: '-1' },
    { model_limits_enabled: true, model_limits: ['m'] },
  ])
    expect(problems(changes)).toEqual({});
});

test.each([
  [{ name: ' ' }, { name: 'invalid.name' }],
  ...[0, -1, 1.5, 101, undefined].map((count) => [{ count }, { count: 'invalid.count' }] as const),
  [{ remain_quota: -0.5 }, { remain_quota: 'invalid.quota' }],
  [{ remain_quota: undefined }, { remain_quota: 'invalid.quotaNeeded' }],
  [{ model_limits_enabled: true }, { model_limits: 'invalid.models' }],
  [{ expired_time: 'tomorrow' }, { expired_time: 'invalid.expiry' }],
  [{ expired_time: formatTime(NOW_MS / 1000) }, { expired_time: 'invalid.past' }],
  [{ allow_ips: '10.0.0.1\nhost' }, { allow_ips: 'invalid.ip' }],
] as const)('%j: %j', (changes, expected) => {
  expect(problems(changes as Partial<TokenValues>)).toEqual(expected);
});

test('an unlimited token needs no quota; an edit needs no count and keeps a past expiry', () => {
  expect(problems({ unlimited_quota: true, remain_quota: undefined })).toEqual({});
  const expired = { ...good, expired_time: formatTime(NOW_MS / 1000 - 60) };
  expect(problems({ count: 0, expired_time: expired.expired_time }, expired)).toEqual({});
  expect(problems({ expired_time: formatTime(NOW_MS / 1000) }, expired)).toEqual({
    expired_time: 'invalid.past',
  });
});
