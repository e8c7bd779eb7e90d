// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { GroupChip, RatioChip } from './group-chip.tsx';

const tone = (text: string): string | undefined => /chip-(\w+)/.exec(screen.getByText(text).className)?.[1];

it.each([
  ['vip', 'warn'],
  ['pro', 'warn'],
  ['svip', 'bad'],
  ['premium', 'bad'],
  ['auto', 'ok'],
])('group %s is %s', (name, wanted) => {
  render(<GroupChip name={name} />);
  expect(tone(name)).toBe(wanted);
});

it('a long name, which may be cut, is whole in its tip', () => {
  const long = 'customers of the second half of the year';
  render(<GroupChip name={long} />);
  expect(screen.getByText(long).dataset['tip']).toBe(long);
});

it.each([
  [5.1, 'bad'],
  [5, 'warn'],
  [3.1, 'warn'],
  [3, 'info'],
  [1.1, 'info'],
  [1, 'muted'],
])('a ratio of %d is %s', (ratio, wanted) => {
  render(<RatioChip ratio={ratio} />);
  expect(tone(`×${ratio}`)).toBe(wanted);
});
