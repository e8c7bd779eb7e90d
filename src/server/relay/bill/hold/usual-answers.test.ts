import { expect, it } from 'vitest';
import { UsualAnswers } from './usual-answers.ts';

it('the longest answer of each payer and model is known, and forgotten by half after 64 shorter ones', () => {
  const usual = new UsualAnswers();
  expect(usual.longest(1, 'm')).toBeUndefined();
  for (const tokens of [10, 1000, 20]) usual.note(1, 'm', tokens);
  usual.note(1, 'other', 7);
  usual.note(2, 'm', 8);
  expect(usual.longest(1, 'm')).toBeGreaterThan(980);
  expect([usual.longest(1, 'other'), usual.longest(2, 'm'), usual.longest(2, 'other')]).toEqual([
    7,
    8,
    undefined,
  ]);
  for (let at = 1; at < 64; at += 1) usual.note(1, 'm', 20);
  expect(usual.longest(1, 'm')).toBe(500);
  for (let at = 0; at < 1000; at += 1) usual.note(1, 'm', 20);
  expect(usual.longest(1, 'm')).toBe(20);
});

it('however many payers and models there are, the memory is bounded', () => {
  const usual = new UsualAnswers();
  for (let at = 0; at <= 10_000; at += 1) usual.note(at % 100, `m${String(at)}`, 5);
  expect(usual.longest(1, 'm1')).toBeUndefined();
  usual.note(1, 'm1', 5);
  expect(usual.longest(1, 'm1')).toBe(5);
});
