// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { StackedBars } from './stacked-bars.tsx';

it('the parts of a bar fill it, also where they are cents', () => {
  render(
    <StackedBars
      label="Margin"
      times={[{ full: '11-28', mark: '11-28', place: 0 }]}
      series={[
        { name: 'Cost', colour: 'red', values: [0.03] },
        { name: 'Margin', colour: 'green', values: [0.01] },
      ]}
      format={String}
      formatParts={(values) => ({ parts: values.map(String), sum: '' })}
      sumLabel="Total"
    />,
  );
  // Growing by less than 1 in all would leave the rest of the bar empty.
  const grown = [
    ...screen.getByRole('img', { name: 'Margin' }).querySelectorAll<HTMLElement>('[data-part]'),
  ].map((part) => Number(part.style.flexGrow));
  expect(grown).toEqual([0.75, 0.25]);
});
