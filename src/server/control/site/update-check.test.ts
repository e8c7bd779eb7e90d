import { expect, it } from 'vitest';
import { isNewer } from './update-check.ts';

it('compares versions by their numbers, from the left', () => {
  expect(isNewer('v1.10.0', '1.9.9')).toBe(true);
  expect(isNewer('0.1.3.0.7', '0.1.3.0.7')).toBe(false);
  expect(isNewer('0.1.3.0.8', '0.1.3.0.7')).toBe(true);
  expect(isNewer('1.0', '1.0.0')).toBe(false);
  expect(isNewer('v0.9', '1.0')).toBe(false);
});

it('a version before the release is older than the release, and a build of it is no other version', () => {
  const ordered = ['v1.0.0-alpha', '1.0.0-beta.2', 'v1.0.0-rc.9', '1.0.0-rc.10', 'v1.0.0', '1.0.1-rc.1'];
  const pairs = ordered.flatMap((left, i) => ordered.map((right, j) => [isNewer(left, right), i > j]));
  expect(pairs.filter(([said, is]) => said !== is)).toEqual([]);
  expect([isNewer('1.0.0+7', '1.0.0'), isNewer('release-1.1.0', 'v1.0.0')]).toEqual([false, true]);
});
