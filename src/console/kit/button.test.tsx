// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Button } from './button.tsx';

it('a busy button keeps the focus, ignores clicks and does not submit its form', () => {
  const done: string[] = [];
  const shown = (busy: boolean) => (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        done.push('sent');
      }}
    >
      <Button type="submit" busy={busy} onClick={() => done.push('clicked')}>
        Save
      </Button>
    </form>
  );
  const { rerender } = render(shown(false));
  const button = screen.getByRole('button', { name: 'Save' });
  button.focus();
  rerender(shown(true));
  expect(document.activeElement).toBe(button);
  expect(button.hasAttribute('disabled')).toBe(false);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button);
  expect(done).toEqual([]);
  rerender(shown(false));
  fireEvent.click(button);
  expect(done).toEqual(['clicked', 'sent']);
});
