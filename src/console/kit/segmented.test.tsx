// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Segmented } from './segmented.tsx';

it('two groups with the same label have separate choices', () => {
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

it("shows a choice at once, and then its owner's value", () => {
  const options = ['model', 'user', 'token'].map((value) => ({ value, label: value }));
  const asked: string[] = [];
  const group = (value: string) => (
    <Segmented label="By" value={value} options={options} onChange={(next) => asked.push(next)} />
  );
  const { rerender } = render(group('model'));
  const chosen = () => screen.getAllByRole<HTMLInputElement>('radio').findIndex((radio) => radio.checked);
  fireEvent.click(screen.getByRole('radio', { name: 'user' }));
  // The address has it later.
  expect([chosen(), asked]).toEqual([1, ['user']]);
  rerender(group('user'));
  expect(chosen()).toBe(1);
  // Back.
  rerender(group('model'));
  expect(chosen()).toBe(0);
  fireEvent.click(screen.getByRole('radio', { name: 'token' }));
  fireEvent.click(screen.getByRole('radio', { name: 'model' }));
  expect([chosen(), asked]).toEqual([0, ['user', 'token', 'model']]);
});
