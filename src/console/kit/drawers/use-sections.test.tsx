// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useSections } from './use-sections.ts';

const drawn: number[] = [];
const Form = () => {
  const sections = useSections(3);
  if (drawn.at(-1) !== sections) drawn.push(sections);
  return <p>{`${String(sections)} of 3`}</p>;
};

it('a long form is drawn one section after the other, the first at once, until all are there', async () => {
  render(<Form />);
  expect(screen.getByText('1 of 3')).toBeDefined();
  await screen.findByText('3 of 3');
  expect(drawn).toEqual([1, 2, 3]);
});
