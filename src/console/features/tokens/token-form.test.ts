import { describe, expect, test } from 'vitest';
import { isIpRange } from './ip-text.ts';
import { readExpiry } from './token-form.ts';

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
    '2030-01-01 24:00:00',
    '2030-01-01',
    'tomorrow',
    '1',
  ])('%j does not read', (text) => {
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
  ])('%s is one', (line) => {
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
  ])('%j is none', (line) => {
    expect(isIpRange(line)).toBe(false);
  });
});
