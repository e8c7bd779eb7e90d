import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWidespread, type Origins, withOrigin } from './origins.ts';

const after = (seen: readonly (readonly [atMs: number, ...names: string[]])[]): Origins =>
  seen.reduce<Origins>((origins, [atMs, ...names]) => withOrigin(origins, names, atMs), []);

test('ten failures at four models within a minute are widespread, at three models or over a longer time never', () => {
  const at = (models: number, everyMs: number) =>
    Array.from({ length: 12 }, (_, turn) => [turn * everyMs, `m${turn % models}`] as const);
  expect(isWidespread(after(at(4, 1000)), 11_000)).toBe(true);
  expect(isWidespread(after(at(3, 1000)), 11_000)).toBe(false);
  expect(isWidespread(after(at(4, 10_000)), 110_000)).toBe(false);
  expect(isWidespread(after(at(4, 1000)), 61_999)).toBe(true);
  expect(isWidespread(after(at(4, 1000)), 62_000)).toBe(false);
  expect(isWidespread([], 0)).toBe(false);
});

test('failures of fewer than four models or fewer than four keys are never widespread', () => {
  const name = (count: number) => fc.nat(count - 1).map(String);
  const failures = (models: number, keys: number) =>
    fc.array(fc.tuple(fc.nat(50_000), name(models), name(keys)), { maxLength: 300 });
  fc.assert(
    fc.property(fc.oneof(failures(3, 50), failures(50, 3)), (seen) => {
      expect(isWidespread(after(seen.toSorted(([one], [other]) => one - other)), 50_000)).toBe(false);
    }),
  );
});

test('one that fails more than all others together hides none of them, in bounded memory', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(999), { minLength: 1, maxLength: 300 }), (noise) => {
      const loud = noise.map((_, turn) => [turn, 'loud', '0'] as const);
      const others = Array.from({ length: 12 }, (_, turn) => [1000 + turn, `m${turn}`, `k${turn}`] as const);
      const many = noise.map((key, turn) => [2000 + turn, 'loud', `k${key}`] as const);
      expect(isWidespread(after([...loud, ...others]), 3000)).toBe(true);
      expect(after([...loud, ...others, ...many]).length).toBeLessThanOrEqual(40);
    }),
  );
});
