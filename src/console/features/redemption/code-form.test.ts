import { describe, expect, it } from 'vitest';
import type { Code } from './code.ts';
import { stateOf } from './code.ts';
import { createBody, newCode, updateBody, validateCode, valuesOf } from './code-form.ts';

const say = (key: string): string => key;
const code: Code = {
  id: 7,
  user_id: 1,
  key: 'k',
  status: 1,
  name: 'gift',
  quota: 500,
  created_time: 1,
  redeemed_time: 0,
  count: 0,
  used_user_id: 0,
  used_username: '',
  expired_time: 1000,
};

describe('what the form sends', () => {
  it('starts with the defaults of the specification, and names a code without a name after its value', () => {
    expect(createBody(newCode)).toEqual({ name: '$0.20', quota: 100_000, count: 1, expired_time: 0 });
  });

  it('sends whole numbers', () => {
    expect(createBody({ ...newCode, quota: 7.9, count: 2.9 })).toMatchObject({ quota: 7, count: 2 });
  });

  it('leaves out unchanged fields', () => {
    expect(updateBody(code, valuesOf(code))).toEqual({ id: 7 });
    expect(updateBody(code, { ...valuesOf(code), quota: 600 })).toEqual({
      id: 7,
      quota: 600,
      was: { quota: code.quota },
    });
    expect(updateBody(code, { ...valuesOf(code), expires: undefined })).toEqual({
      id: 7,
      expired_time: 0,
      was: { expired_time: code.expired_time },
    });
  });
});

describe('what the form refuses', () => {
  const check = (changes: object, before?: ReturnType<typeof valuesOf>) =>
    validateCode({ ...newCode, ...changes }, { before, nowMs: 2_000_000 }, say);

  it('a count outside 1 to 100, a missing quota, an expiry in the past', () => {
    expect(check({})).toEqual({});
    for (const count of [0, 101, 1.5, undefined])
      expect(check({ count })).toEqual({ count: 'invalid.count' });
    expect(check({ quota: 0 })).toEqual({ quota: 'invalid.quota' });
    expect(check({ expires: 1999 })).toEqual({ expires: 'invalid.past' });
    expect(check(valuesOf(code), valuesOf(code))).toEqual({});
    expect(check({ ...valuesOf(code), name: ' ' }, valuesOf(code))).toEqual({ name: 'invalid.name' });
  });
});

it('an expired code is shown as expired, a redeemed one as used', () => {
  expect(stateOf(code, 999_999)).toBe('unused');
  expect(stateOf(code, 1_000_000)).toBe('expired');
  expect(stateOf({ ...code, status: 3 }, 1_000_000)).toBe('used');
  expect(stateOf({ ...code, status: 2 }, 1_000_000)).toBe('disabled');
});
