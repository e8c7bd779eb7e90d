// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import zh from '../locales/zh/common.json' with { type: 'json' };
import { Copy } from './copy.tsx';
import { openedDialog } from './dialogs.ts';

afterEach(() => {
  openedDialog.get()?.answer(false);
  cleanup();
  vi.restoreAllMocks();
});

const press = async (): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name: 'action.copyNamed' }));
  await act(() => Promise.resolve());
};

it('copies with a click and says so', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  render(<Copy value="sk-1" />);
  await press();
  expect(write).toHaveBeenCalledWith('sk-1');
  expect(screen.getByRole('status').textContent).toBe('action.copied');
});

it('shows what the browser did not let it copy, to be copied by hand', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  render(<Copy value="sk-1" />);
  await press();
  expect(openedDialog.get()?.request).toEqual({ kind: 'copy', text: 'sk-1' });
  expect(zh.dialog.copyByHand).toBe('无法复制到剪贴板，请手动复制');
  expect(screen.getByRole('status').textContent).toBe('');
});
