// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RatioTable } from './ratio-table.tsx';

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `m${at}`, price: '', ratio: '1', completionRatio: '' }));
const show = (count: number): void => {
  render(<RatioTable label="models" rows={rows(count)} onEdit={() => undefined} emptyText="none" />);
};
const names = () => [...document.querySelectorAll('.ratio-name')].map(({ textContent }) => textContent);

it('models are shown ten to a page', () => {
  show(11);
  expect(names()).toEqual(rows(10).map(({ name }) => name));
  fireEvent.click(screen.getByRole('button', { name: 'visual.next' }));
  expect(names()).toEqual(['m10']);
});

it('ten models need no second page', () => {
  show(10);
  expect(names()).toHaveLength(10);
  expect(screen.queryByRole('button', { name: 'visual.next' })).toBeNull();
});
