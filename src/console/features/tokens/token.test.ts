import { expect, it } from 'vitest';
import { NEVER_EXPIRES, tokenStatus } from '#contract/codes.ts';
import { keyLines, stateOf, type Token, wasUsed } from './token.ts';

const token = (of: Partial<Token>): Token =>
  ({
    status: tokenStatus.enabled,
    expired_time: NEVER_EXPIRES,
    unlimited_quota: true,
    created_time: 1000,
    accessed_time: 1000,
    ...of,
  }) as Token;

it('a new token counts as unused', () => {
  expect(wasUsed(token({}))).toBe(false);
  expect(wasUsed(token({ accessed_time: 0 }))).toBe(false);
  expect(wasUsed(token({ accessed_time: 1001 }))).toBe(true);
});

it('a token expires or is exhausted without a new answer from the server', () => {
  expect(stateOf(token({ expired_time: 2000 }), 1_999_999)).toBe('enabled');
  expect(stateOf(token({ expired_time: 2000 }), 2_000_000)).toBe('expired');
  expect(stateOf(token({ unlimited_quota: false, remain_quota: 0 }))).toBe('exhausted');
});

it('a key that the server could not decrypt is not copied with the others', () => {
  const tokens = [token({ name: 'lost', key: '' }), token({ name: 'sound', key: 'abc' })];
  expect(keyLines(tokens)).toBe('sound    sk-abc');
});
