// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { TagsField } from './list-field.tsx';

afterEach(cleanup);

it('a comma parts names also where the keyboard does not tell that it was one, and in Chinese', () => {
  const taken: string[][] = [];
  const Page = () => {
    const [value, setValue] = useState<string[]>(['gpt-4o']);
    const take = (names: string[]): void => {
      taken.push(names);
      setValue(names);
    };
    return <TagsField label="Models" choices={[]} value={value} onChange={take} />;
  };
  render(<Page />);
  const field = screen.getByLabelText('Models');

  act(() => field.focus());
  fireEvent.change(field, { target: { value: 'o3, ，gpt-5；gpt-4o,' } });
  act(() => field.blur());
  expect(taken.at(-1)).toEqual(['gpt-4o', 'o3', 'gpt-5']);
});
