// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { logType } from '#contract/codes.ts';
import { CostCell, rowName } from './log-cells.tsx';
import type { LogEntry } from './log-query.ts';

const shown = (type: number, quota: number): string | null =>
  render(<CostCell entry={{ type, quota, other: '' } as LogEntry} />).container.textContent;

it.each([
  ['a gift', logType.system, 100_000_000, '+$200.00'],
  ['a top-up', logType.topUp, 500_000, '+$1.00'],
  ['a charge', logType.consume, 500_000, '$1.00'],
  ['what an admin took', logType.manage, -500_000, '−$1.00'],
  ['nothing', logType.system, 0, '—'],
])('%s is shown as what it is, not as a cost', (_, type, quota, text) => {
  expect(shown(type, quota)).toBe(text);
});

it('a row that is not a call is named after its kind', () => {
  const named = (type: number, model: string): string =>
    rowName(
      { id: 7, type, model_name: model } as LogEntry,
      (key, values) => `${key}${values?.['about'] ?? ''}`,
    );
  expect(named(logType.topUp, '')).toBe('rowtype.topUp');
  expect(named(logType.consume, 'gpt-4o')).toBe('rowgpt-4o');
});
