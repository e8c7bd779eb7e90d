// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Segmented } from './segmented.tsx';

afterEach(cleanup);

it('two groups of one label keep a choice each', () => {
  const options = ['model', 'user'].map((value) => ({ value, label: value }));
  render(
    <>
      <Segmented label="By" value="model" options={options} onChange={() => {}} />
      <Segmented label="By" value="user" options={options} onChange={() => {}} />
    </>,
  );
  // A browser lets one radio of a name be chosen.
  const names = screen.getAllByRole<HTMLInputElement>('radio').map((radio) => radio.name);
  expect([names[0] === names[1], names[2] === names[3], names[1] === names[2]]).toEqual([true, true, false]);
});
