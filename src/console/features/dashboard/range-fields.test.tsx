// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import RangeFields from './range-fields.tsx';

it('an end of the range that is moved past the other takes it along: the fields show what is counted', () => {
  const at = (text: string): number => new Date(text).getTime() / 1000;
  const patches: object[] = [];
  const span = { from: at('2026-01-01T00:00'), to: at('2026-01-31T23:59') + 59 };
  render(<RangeFields span={span} patch={(change) => patches.push(change)} />);
  const type = (label: string, text: string): void => {
    const field = screen.getByLabelText(label);
    fireEvent.change(field, { target: { value: text } });
    fireEvent.blur(field);
  };
  type('from', '2026-02-01T00:00');
  type('to', '2025-12-31T23:59');
  type('to', '2026-01-15T12:00');
  const spanOf = (from: string, to: string) => ({
    from: String(at(from)),
    to: String(at(to) + 59),
    days: undefined,
  });
  expect(patches).toEqual([
    spanOf('2026-02-01T00:00', '2026-03-03T23:59'),
    spanOf('2025-12-01T00:00', '2025-12-31T23:59'),
    spanOf('2026-01-01T00:00', '2026-01-15T12:00'),
  ]);
});
