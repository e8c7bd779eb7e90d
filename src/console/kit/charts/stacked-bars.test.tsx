// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { StackedBars } from './stacked-bars.tsx';

it('the parts of a bar fill it, even if they are cents', () => {
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

it('a month of hours is one shape per colour, and hovering redraws none of them', async () => {
  const hours = Array.from({ length: 720 }, (_, at) => at);
  render(
    <StackedBars
      label="Calls"
      times={hours.map((place) => ({ full: `hour ${place}`, mark: '', place }))}
      series={['one', 'two', 'three'].map((name) => ({ name, colour: 'red', values: hours }))}
      format={String}
      formatParts={(values) => ({ parts: values.map(String), sum: '' })}
      sumLabel="Total"
    />,
  );
  const plot = screen.getByRole('img', { name: 'Calls' });
  expect(plot.querySelectorAll('*').length).toBeLessThan(10);
  const shapes = [...plot.querySelectorAll('path')].map((path) => path.outerHTML);
  plot.getBoundingClientRect = () => new DOMRect(0, 0, 720, 100);
  fireEvent.pointerMove(plot, { pointerType: 'mouse', clientX: 400.5 });
  await screen.findByText('hour 400');
  expect([...plot.querySelectorAll('path')].map((path) => path.outerHTML)).toEqual(shapes);
});
