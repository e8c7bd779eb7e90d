import { expect, it } from 'vitest';
import { isNewer } from './update-check.ts';

it('compares versions by their numbers, from the left', () => {
  expect(isNewer('v1.10.0', '1.9.9')).toBe(true);
  expect(isNewer('0.1.3.0.7', '0.1.3.0.7')).toBe(false);
  expect(isNewer('0.1.3.0.8', '0.1.3.0.7')).toBe(true);
  expect(isNewer('1.0', '1.0.0')).toBe(false);
  expect(isNewer('v0.9', '1.0')).toBe(false);
});
