// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { SelectField } from '../select-field.tsx';
import type { Choice } from './use-combobox.ts';

// Not in this environment.
beforeAll(() => {
  HTMLElement.prototype.showPopover = () => undefined;
});
afterEach(cleanup);

const show = (choices: readonly Choice[], first = ''): { readonly taken: string[] } => {
  const taken: string[] = [];
  const Page = () => {
    const [value, setValue] = useState(first);
    const take = (next: string): void => {
      taken.push(next);
      setValue(next);
    };
    return <SelectField label="Model" choices={choices} value={value} onChange={take} searchable clearable />;
  };
  render(<Page />);
  return { taken };
};
const field = (): HTMLInputElement => screen.getByRole('combobox', { name: 'Model' });
const press = (...keys: readonly string[]): void => {
  for (const key of keys) fireEvent.keyDown(field(), { key });
};
const open = (): void => act(() => field().focus());
const marked = (): string | null | undefined => {
  const id = field().getAttribute('aria-activedescendant');
  return id === null ? undefined : document.getElementById(id)?.textContent;
};
const many = Array.from({ length: 1000 }, (_, at) => ({
  value: `m${String(at)}`,
  label: `model ${String(at)}`,
}));

it('of a thousand choices those that are seen are drawn, also when a search finds as many', () => {
  show(many);
  open();
  expect(screen.getAllByRole('option')).toHaveLength(10);
  expect(screen.getAllByRole('option')[0]?.getAttribute('aria-setsize')).toBe('1000');
  fireEvent.change(field(), { target: { value: 'model' } });
  expect(screen.getAllByRole('option').length).toBeLessThanOrEqual(30);
  fireEvent.change(field(), { target: { value: '99' } });
  expect(screen.getAllByRole('option').map((option) => option.textContent)[1]).toBe('model 990');
});

it('what begins with a search comes first, then what has a word that does', () => {
  show(
    ['360gpt-pro', 'chat4gpt', '@cf/openai/gpt-oss', 'GPT-5', 'claude', 'gpt-4o'].map((label) => ({
      value: label,
      label,
    })),
  );
  open();
  fireEvent.change(field(), { target: { value: ' gpt' } });
  const shown = ['GPT-5', 'gpt-4o', '@cf/openai/gpt-oss', '360gpt-pro', 'chat4gpt'];
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(shown);
});

it('arrow keys start from what is chosen, pass what cannot be taken, and go round', () => {
  const { taken } = show(
    [
      { value: 'a', label: 'one' },
      { value: 'b', label: 'two', disabled: true },
      { value: 'c', label: 'three' },
    ],
    'a',
  );
  open();
  press('ArrowDown');
  expect(marked()).toBe('three');
  press('ArrowDown');
  expect(marked()).toBe('one');
  press('ArrowUp', 'Enter');
  expect(taken).toEqual(['c']);
  expect([field().value, field().getAttribute('aria-expanded')]).toEqual(['three', 'false']);
});

it('leaving it or Escape shows what is chosen again, whatever was typed', () => {
  const { taken } = show(many, 'm5');
  open();
  fireEvent.change(field(), { target: { value: 'nothing like it' } });
  expect(screen.getAllByRole('option').map((option) => option.getAttribute('aria-disabled'))).toEqual([
    'true',
  ]);
  press('Enter', 'Escape');
  expect([field().value, screen.queryByRole('listbox')]).toEqual(['model 5', null]);
  fireEvent.click(field());
  fireEvent.change(field(), { target: { value: 'mod' } });
  act(() => field().blur());
  expect([field().value, taken]).toEqual(['model 5', []]);
  fireEvent.click(screen.getByRole('button'));
  expect([field().value, taken]).toEqual(['', ['']]);
});

it('what is chosen and no longer offered is shown by its value, not as an empty field', () => {
  show([{ value: 'default', label: 'default' }], 'renamed since');
  expect(field().value).toBe('renamed since');
});

it('a field without a text is moved in by Home, End, pages and first letters', () => {
  const Page = () => {
    const [value, setValue] = useState('m0');
    return <SelectField label="Model" choices={many} value={value} onChange={setValue} searchable={false} />;
  };
  render(<Page />);
  press('End');
  expect(marked()).toBe('model 999');
  // Not all that is between.
  expect(screen.getAllByRole('option').length).toBeLessThanOrEqual(20);
  press('PageUp');
  expect(marked()).toBe('model 990');
  press('Home', 'PageDown');
  expect(marked()).toBe('model 9');
  press('m');
  expect(marked()).toBe('model 10');
  press('o', 'd', 'e', 'l', ' ', '7', '7');
  expect(marked()).toBe('model 77');
  press('Enter');
  expect(field().value).toBe('model 77');
});
