import { expect, test } from 'vitest';
import {
  type BillLine,
  chartedMeasure,
  formatBillMoney,
  formatDifference,
  linesWith,
  shownMeasures,
} from './bill.ts';

test('amounts have their currency and sign, and small ones all their digits', () => {
  expect(formatBillMoney(1_250_000_000, 'USD')).toBe('$1.25');
  expect(formatBillMoney(-1_250_000_000, 'CNY')).toBe('−1.25 CNY');
  expect(formatBillMoney(0, 'USD')).toBe('$0.00');
  expect(formatBillMoney(12_000, 'USD')).toBe('$0.000012');
  expect(formatDifference('input', 7, 'USD')).toBe('+7');
  expect(formatDifference('input', -1234, 'USD')).toBe('−1,234');
  expect(formatDifference('money', 0, 'USD')).toBe('$0.00');
});

test('calls are shown where each row is one, and money is charted before tokens', () => {
  expect(shownMeasures({ by: 'call', measures: ['input'] })).toEqual(['calls', 'input']);
  expect(shownMeasures({ by: 'day', measures: ['input'] })).toEqual(['input']);
  expect(chartedMeasure({ measures: ['calls', 'output', 'money'] })).toBe('money');
  expect(chartedMeasure({ measures: ['calls'] })).toBe('calls');
});

test('lines are found by model, line and request', () => {
  const side = { at: 0, calls: 1, input: null, output: null, cached: null, money: null };
  const lines: BillLine[] = [
    { model: 'GPT-4o', by: 'id', ours: { ...side, ref: 'req-a' }, theirs: { ...side, ref: '12' } },
    { model: 'claude', by: null, ours: null, theirs: { ...side, ref: '13' } },
  ];
  const found = (text: string): number[] => linesWith(lines, text).map((line) => lines.indexOf(line));
  expect(found('')).toEqual([0, 1]);
  expect(found(' gpt ')).toEqual([0]);
  expect(found('13')).toEqual([1]);
  expect(found('REQ-A')).toEqual([0]);
});
