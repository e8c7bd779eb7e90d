// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { TextField } from './text-field.tsx';

afterEach(cleanup);

it('says that a pasted text was cut, until there is room again', () => {
  const Page = () => {
    const [value, setValue] = useState('');
    return <TextField label="Username" hint="Up to 5" maxLength={5} value={value} onChange={setValue} />;
  };
  render(<Page />);
  const field = screen.getByLabelText<HTMLInputElement>('Username');
  const paste = (text: string): void => {
    fireEvent.paste(field, { clipboardData: { getData: () => text } });
    fireEvent.change(field, { target: { value: text.slice(0, 5) } });
  };
  const note = (): string | null => document.querySelector('.field-hint')?.textContent ?? null;
  paste('alice');
  expect(note()).toBe('Up to 5');
  field.setSelectionRange(0, 5);
  paste('alice-at-home');
  expect(note()).toBe('field.cut');
  fireEvent.change(field, { target: { value: 'ali' } });
  expect(note()).toBe('Up to 5');
});
