import { describe, expect, test } from 'vitest';
import { DOLLAR_PICKS } from '../../kit/fields/dollar-picks.ts';
import { isIpRange } from './ip-text.ts';
import { createBody, newToken, readExpiry } from './token-form.ts';
import { COUNT_PICKS, EXPIRY_PICKS } from './token-picks.ts';

describe('an expiry', () => {
  test('is read in the local zone, with or without seconds', () => {
    expect(readExpiry('2030-12-31 23:59:58')).toBe(new Date(2030, 11, 31, 23, 59, 58).getTime() / 1000);
    expect(readExpiry(' 2030-1-2 03:04 ')).toBe(new Date(2030, 0, 2, 3, 4).getTime() / 1000);
  });

  test.each(['', '  ', '-1'])('%j means never', (text) => {
    expect(readExpiry(text)).toBe(-1);
  });

  test.each([
    '2030-02-31 10:00:00',
    '2030-13-01 10:00:00',
    '2030-01-00 10:00:00',
    '2030-01-01 24:00:00',
    '2030-01-01 10:60:00',
    '2030-01-01 10:00:60',
    '2030-01-01',
    'tomorrow',
    '1',
  ])('%j is invalid', (text) => {
    expect(readExpiry(text)).toBeUndefined();
  });
});

describe('a line of the list of addresses', () => {
  test.each([
    '203.0.113.7',
    '10.0.0.0/8',
    '0.0.0.0/0',
    '::1',
    '2001:db8::/32',
    '::ffff:1.2.3.4',
    'FE80::1/64',
  ])('%s is valid', (line) => {
    expect(isIpRange(line)).toBe(true);
  });

  test.each([
    '300.1.1.1',
    '1.2.3',
    '1.2.3.4/33',
    '::1/129',
    '1.2.3.4/',
    'host',
    '2001:db8::g',
    ':::',
    '1.2.3.4/8/8',
    '',
  ])('%j is invalid', (line) => {
    expect(isIpRange(line)).toBe(false);
  });
});

describe('a new token', () => {
  test('starts with the defaults of the specification', () => {
    expect(createBody({ ...newToken(false), name: ' mine ' })).toMatchObject({
      name: 'mine',
      expired_time: -1,
      unlimited_quota: false,
      remain_quota: 500_000,
      group: '',
      tag: '',
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
    });
  });

  test('starts in the auto group if the site says so', () => {
    expect(newToken(true).group).toBe('auto');
  });

  test('offers the picks of the specification', () => {
    expect(COUNT_PICKS).toEqual([10, 20, 30, 100]);
    expect(DOLLAR_PICKS).toEqual([1, 10, 50, 100, 500, 1000]);
    expect(EXPIRY_PICKS).toEqual([
      ['hour', 3600],
      ['day', 86_400],
      ['month', 2_592_000],
    ]);
  });
});
