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

const models = Array.from({ length: 160 }, (_, at) => `model-${String(at)}`);

it('of very many names the first and the last are drawn, the others when they are asked for, and none is lost', async () => {
  let taken: readonly string[] = [];
  const Page = () => {
    const [value, setValue] = useState<readonly string[]>(models);
    taken = value;
    return <TagsField label="Models" choices={[]} value={value} onChange={setValue} />;
  };
  render(<Page />);
  const drawn = () => screen.queryAllByText(/^model-/u).map((name) => name.textContent);
  expect(drawn()).toEqual([...models.slice(0, 50), ...models.slice(-10)]);

  const field = screen.getByLabelText('Models');
  act(() => field.focus());
  fireEvent.change(field, { target: { value: 'o3' } });
  act(() => field.blur());
  expect(taken).toEqual([...models, 'o3']);
  expect(screen.getByText('o3')).toBeTruthy();

  // Who speaks to the machine says what they see.
  fireEvent.click(screen.getByRole('button', { name: /^\+101 / }));
  await expect.poll(drawn).toEqual(models);
});

it('a long list is drawn as far as it is seen, offers nothing that is taken, and a search finds its last entry', () => {
  const choices = models.map((name) => ({ value: name, label: name }));
  render(<TagsField label="Models" choices={choices} value={['model-0']} onChange={() => undefined} />);
  const field = screen.getByLabelText('Models');
  act(() => field.focus());
  const offered = () => screen.getAllByRole('option').map((option) => option.textContent);
  expect(offered()).toEqual(models.slice(1, 11));
  fireEvent.change(field, { target: { value: '159' } });
  expect(offered()).toEqual(['model-159']);
});
