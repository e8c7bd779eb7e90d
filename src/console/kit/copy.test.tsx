// @vitest-environment happy-dom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import zh from '../locales/zh/common.json' with { type: 'json' };
import { Copy } from './copy.tsx';
import { DialogHost } from './dialogs/dialog-host.tsx';

// The dialog is loaded when it is first needed: on a busy machine that takes a while.
beforeAll(() => import('./dialogs/ask-dialog.tsx'));
afterEach(() => {
  vi.restoreAllMocks();
});

const clipboard = (writeText: (text: string) => Promise<void>): void => {
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
};

const show = (): void => {
  render(
    <>
      <Copy value="sk-whole" shown="sk-wh…" />
      <DialogHost />
    </>,
  );
};

it('copies the value, not its masked text, and says so in place', async () => {
  const copied: string[] = [];
  clipboard(async (text) => void copied.push(text));
  show();
  const button = screen.getByRole('button');
  fireEvent.click(button);
  await waitFor(() => expect(button.dataset['tip']).toBe('action.copied'));
  expect(copied).toEqual(['sk-whole']);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('opens a dialog to copy by hand if the browser refuses', async () => {
  clipboard(() => Promise.reject(new Error('not allowed')));
  show();
  fireEvent.click(screen.getByRole('button'));
  const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'dialog.copyByHand' });
  expect([text.value, text.readOnly]).toEqual(['sk-whole', true]);
  expect(screen.getByRole('dialog').textContent).toContain('dialog.copyByHand');
  expect(zh.dialog.copyByHand).toBe('无法复制到剪贴板，请手动复制');
  fireEvent.click(screen.getByRole('button', { name: 'action.close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('has an accessible name that mentions the value once', () => {
  render(<Copy value="gpt-4o" label="Copy model name gpt-4o" />);
  render(<Copy value="sk-whole" shown="sk-wh…" label="Copy the key" />);
  const names = screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'));
  expect(names).toEqual(['Copy model name gpt-4o', 'Copy the key sk-wh…']);
});
