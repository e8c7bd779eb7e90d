// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { MomentInput } from './moment-input.tsx';

afterEach(cleanup);

const at = (text: string): number => new Date(text).getTime() / 1000;
const EIGHT = at('2026-11-27T08:00:00');

/** The field of a page that draws what it was given. */
const show = (options: { readonly required?: boolean; readonly isEager?: boolean } = {}) => {
  const done: (number | undefined)[] = [];
  const Page = () => {
    const [value, setValue] = useState<number | undefined>(EIGHT);
    const take = (moment: number | undefined): void => {
      done.push(moment);
      setValue(moment);
    };
    return <MomentInput aria-label="From" value={value} onDone={take} {...options} />;
  };
  render(<Page />);
  const field = screen.getByLabelText<HTMLInputElement>('From');
  return { done, field, type: (value: string) => fireEvent.change(field, { target: { value } }) };
};

it('gives a moment away once, when the field is left, however many the browser reports while it is typed', () => {
  const { done, field, type } = show();
  for (const year of ['0002', '0020', '0202', '2025']) type(`${year}-11-27T08:00`);
  expect(done).toEqual([]);
  fireEvent.blur(field);
  expect(done).toEqual([at('2025-11-27T08:00:00')]);
  fireEvent.blur(field);
  expect(done).toHaveLength(1);
});

it('gives a moment away on Enter', () => {
  const { done, field, type } = show();
  type('2026-11-27T09:30');
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(done).toEqual([at('2026-11-27T09:30:00')]);
});

it('says that it was emptied, and keeps what there was where it is required', () => {
  const free = show();
  free.type('');
  fireEvent.blur(free.field);
  expect(free.done).toEqual([undefined]);
  cleanup();
  const needed = show({ required: true });
  needed.type('');
  fireEvent.blur(needed.field);
  expect(needed.done).toEqual([]);
  expect(at(needed.field.value)).toBe(EIGHT);
});

it('in a form tells every moment at once, and does not rewrite what is being typed', () => {
  const { done, field, type } = show({ isEager: true });
  type('0002-11-27T08:00');
  expect(done).toHaveLength(1);
  expect(field.value).toMatch(/^0002-11-27T08:00/);
});
