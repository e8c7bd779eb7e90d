import { expect, test } from 'vitest';
import { Probes } from './probes.ts';

/** How many of so many calls may be probes if each is where it may. */
const probesOf = (probes: Probes, calls: number, everyMs: number, fromMs = 0): number => {
  let count = 0;
  for (let at = 0; at < calls; at++) {
    const nowMs = fromMs + at * everyMs;
    const isProbe = probes.isDue('m', nowMs);
    probes.begun('m', nowMs, isProbe);
    if (isProbe) count += 1;
  }
  return count;
};

test('three calls at once may begin where it keeps failing, then one in twenty', () => {
  const probes = new Probes();
  expect(probesOf(probes, 3, 0)).toBe(3);
  expect(probes.isDue('m', 0)).toBe(false);
  expect(probesOf(probes, 200, 0)).toBe(10);
});

test('where there are few calls, one in six minutes', () => {
  const probes = new Probes();
  probesOf(probes, 3, 0);
  expect(probesOf(probes, 4, 3_600_000, 3_600_000)).toBe(4);
  probesOf(probes, 3, 0, 100_000_000);
  expect(probes.isDue('m', 100_000_000 + 300_000)).toBe(false);
  expect(probes.isDue('m', 100_000_000 + 360_000)).toBe(true);
});

test('calls that must not be made twice are probes only after many others, and never three at once', () => {
  const probes = new Probes();
  const isProbe = Array.from({ length: 200 }, () => {
    const isDue = probes.isDue('m', 0, false);
    probes.begun('m', 0, isDue, false);
    return isDue;
  });
  expect(isProbe.indexOf(true)).toBeGreaterThan(50);
  expect(isProbe.filter(Boolean).length).toBe(3);
});

test('each model for itself, in bounded memory', () => {
  const probes = new Probes();
  probesOf(probes, 3, 0);
  expect(probes.isDue('other', 0)).toBe(true);
  for (let at = 0; at < 5000; at++) probes.begun(String(at), 0, true);
  expect(probes.isDue('m', 0)).toBe(true);
});
