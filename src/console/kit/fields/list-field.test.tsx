// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { MultiSelectField, TagsField } from './list-field.tsx';

// Not in this environment.
beforeAll(() => {
  HTMLElement.prototype.showPopover = () => undefined;
});
afterEach(cleanup);

const show = (Field: typeof TagsField, choices: readonly string[], first: readonly string[] = []) => {
  const taken: (readonly string[])[] = [];
  const Page = () => {
    const [value, setValue] = useState(first);
    const take = (names: readonly string[]): void => {
      taken.push(names);
      setValue(names);
    };
    return <Field label="Models" choices={choices} value={value} onChange={take} max={5} />;
  };
  render(<Page />);
  const field: HTMLInputElement = screen.getByRole('combobox', { name: 'Models' });
  act(() => field.focus());
  return {
    field,
    taken,
    type: (text: string) => fireEvent.change(field, { target: { value: text } }),
    press: (...keys: readonly string[]) => keys.map((key) => fireEvent.keyDown(field, { key })),
    paste: (text: string) => fireEvent.paste(field, { clipboardData: { getData: () => text } }),
    options: () => screen.queryAllByRole('option').map((option) => option.textContent),
  };
};

it('a comma parts names also where the keyboard does not tell that it was one, and in Chinese', () => {
  const { field, taken, type } = show(TagsField, [], ['gpt-4o']);
  type('o3, ，gpt-5；gpt-4o,');
  expect([taken, field.value]).toEqual([[['gpt-4o', 'o3', 'gpt-5']], '']);
  expect(screen.getByRole('status').textContent).toBe('field.added');
  type('o1、o4');
  act(() => field.blur());
  expect(taken.at(-1)).toEqual(['gpt-4o', 'o3', 'gpt-5', 'o1', 'o4']);
});

it('a pasted list adds all its names, between commas, lines or blanks; what finds no room stays in the field', () => {
  const { field, taken, paste } = show(TagsField, [], ['gpt-4o']);
  paste('a,b\nc gpt-4o\td; e\n');
  expect([taken.at(-1), field.value]).toEqual([['gpt-4o', 'a', 'b', 'c', 'd'], 'e']);
});

it('Enter takes what is typed or marked and does not send the form, Backspace in the empty field removes the last', () => {
  const { field, taken, type, press } = show(TagsField, ['gpt-4o', 'gpt-5'], ['o3']);
  type('gpt');
  expect(press('Enter')).toEqual([false]);
  press('ArrowDown', 'ArrowDown', 'Enter', 'Backspace', 'Backspace');
  expect(taken).toEqual([['o3', 'gpt'], ['o3', 'gpt', 'gpt-5'], ['o3', 'gpt'], ['o3']]);
  // Whoever deletes a word with the key held down does not lose names too.
  fireEvent.keyDown(field, { key: 'Backspace', repeat: true });
  expect(taken).toHaveLength(4);
  expect(press('Enter')).toEqual([true]);
});

it('of a known list only its names are taken, one after the other without a new search', () => {
  const { field, taken, type, press, paste, options } = show(MultiSelectField, ['default', 'vip', 'svip']);
  type('vip');
  press('Enter', 'ArrowDown', 'Enter', 'Enter');
  expect(taken.at(-1)).toEqual(['vip', 'default', 'svip']);
  press('Backspace');
  expect(options()).toEqual(['svip']);
  type('nothing like it');
  expect(press('Enter')).toEqual([false]);
  type('');
  paste('nobody svip');
  expect([taken.at(-1), field.value]).toEqual([['vip', 'default', 'svip'], 'nobody']);
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
  render(<TagsField label="Models" choices={models} value={['model-0']} onChange={() => undefined} />);
  const field = screen.getByLabelText('Models');
  act(() => field.focus());
  const offered = () => screen.getAllByRole('option').map((option) => option.textContent);
  expect(offered()).toEqual(models.slice(1, 11));
  fireEvent.change(field, { target: { value: '159' } });
  expect(offered()).toEqual(['model-159']);
});
