import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstTokenDeadline } from './first-token.ts';
import { FirstTokenTimes } from './first-token-times.ts';

test('a deadline in milliseconds is used as it is', () => {
  expect(firstTokenDeadline({ deadline_ms: 700 }, 5000)).toBe(700);
  expect(firstTokenDeadline({ deadline_ms: 700 }, undefined)).toBe(700);
});

test('a deadline from the times of a model is a multiple of its p95, within bounds', () => {
  expect(firstTokenDeadline({ deadline_ms: 'auto' }, 1500)).toBe(3000);
  expect(firstTokenDeadline({ deadline_ms: 'auto', factor: 1.5 }, 1500)).toBe(2250);
  expect(firstTokenDeadline({ deadline_ms: 'auto' }, 10)).toBe(1000);
  expect(firstTokenDeadline({ deadline_ms: 'auto', least_ms: 100 }, 10)).toBe(100);
  expect(firstTokenDeadline({ deadline_ms: 'auto' }, 100_000)).toBe(60_000);
  expect(firstTokenDeadline({ deadline_ms: 'auto', most_ms: 2000 }, 100_000)).toBe(2000);
  expect(firstTokenDeadline({ deadline_ms: 'auto', most_ms: 400 }, 5000)).toBe(400);
  expect(firstTokenDeadline({ deadline_ms: 'auto', least_ms: 90_000 }, 10)).toBe(90_000);
});

test('too few streams tell nothing', () => {
  const times = new FirstTokenTimes();
  for (let at = 0; at < 19; at += 1) times.add('m', 100);
  expect(times.p95Ms('m')).toBeUndefined();
  expect(firstTokenDeadline({ deadline_ms: 'auto' }, times.p95Ms('m'))).toBeUndefined();
  times.add('m', 100);
  expect(times.p95Ms('m')).toBe(100);
  expect(times.p95Ms('another')).toBeUndefined();
});

test('95 of 100 of the last streams of a model came within its p95', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 20, maxLength: 600 }), (all) => {
      const times = new FirstTokenTimes();
      for (const ms of all) times.add('m', ms);
      const last = all.slice(-256);
      const p95Ms = times.p95Ms('m') ?? -1;
      expect(last.filter((ms) => ms <= p95Ms).length).toBeGreaterThanOrEqual(last.length * 0.95);
      expect(last.filter((ms) => ms < p95Ms).length).toBeLessThan(last.length * 0.95);
    }),
  );
});

test('a model that became faster soon has an earlier deadline, and the memory of models is bounded', () => {
  const times = new FirstTokenTimes();
  for (let at = 0; at < 256; at += 1) times.add('m', 9000);
  expect(times.p95Ms('m')).toBe(9000);
  for (let at = 0; at < 256; at += 1) times.add('m', 500);
  expect(times.p95Ms('m')).toBe(500);
  for (let name = 0; name < 3000; name += 1) for (let at = 0; at < 20; at += 1) times.add(`m${name}`, 1);
  expect(times.p95Ms('m2999')).toBeUndefined();
  expect(times.p95Ms('m')).toBe(500);
});
