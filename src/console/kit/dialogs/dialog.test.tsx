// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { TextField } from '../fields/text-field.tsx';
import { SearchInput } from '../search-input.tsx';
import { Dialog } from './dialog.tsx';
import { openedDialog } from './dialogs.ts';

afterEach(cleanup);

const show = (losesNothing = false) => {
  const onClose = vi.fn<() => void>();
  const Page = () => {
    const [texts, setTexts] = useState<Readonly<Record<string, string>>>({ name: 'main' });
    const set = (name: string) => (text: string) => setTexts((before) => ({ ...before, [name]: text }));
    return (
      <Dialog title="Channel" onClose={onClose} losesNothing={losesNothing}>
        <SearchInput label="search" value={texts['search'] ?? ''} onChange={set('search')} />
        <TextField label="name" value={texts['name'] ?? ''} onChange={set('name')} />
        <TextField
          label="password"
          type="password"
          value={texts['password'] ?? ''}
          onChange={set('password')}
        />
      </Dialog>
    );
  };
  render(<Page />);
  /** Whether it asks; the answer is no. */
  const escape = (): boolean => {
    fireEvent.keyDown(document.body, { key: 'Escape' });
    const hasAsked = openedDialog.get() !== undefined;
    openedDialog.get()?.answer(false);
    return hasAsked;
  };
  const type = (label: string, value: string): void => {
    const field = screen.getByLabelText(label);
    fireEvent.focus(field);
    fireEvent.change(field, { target: { value } });
  };
  return { onClose, escape, type };
};

it('asks before a typed text is lost, without being told by whoever uses it', () => {
  const { onClose, escape, type } = show();
  type('name', 'spare');
  expect([escape(), onClose.mock.calls.length]).toEqual([true, 0]);
  type('name', 'main');
  expect([escape(), onClose.mock.calls.length]).toEqual([false, 1]);
});

it('does not ask for what is only searched, for a password, and where nothing would be lost', () => {
  const typed = show();
  typed.type('search', 'gpt');
  typed.type('password', 'long enough');
  expect([typed.escape(), typed.onClose.mock.calls.length]).toEqual([false, 1]);
  cleanup();
  const question = show(true);
  question.type('name', 'spare');
  expect([question.escape(), question.onClose.mock.calls.length]).toEqual([false, 1]);
});
