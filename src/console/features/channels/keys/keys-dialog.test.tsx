// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../../lib/server/query.ts';
import { endSession, startSession } from '../../../lib/session/session.ts';
import { openedDialog } from '../../../kit/dialogs/dialogs.ts';
import type { Channel } from '../channel.ts';
import { CHANNEL_KEYS, KEYS_ON_A_PAGE } from './key-calls.ts';
import KeysDialog from './keys-dialog.tsx';

let total = KEYS_ON_A_PAGE + 1;

const keyOf = (id: number) => ({
  id,
  label: `key ${id}`,
  tail: '',
  proxy: '',
  status: 'enabled',
  reason: '',
  test_time: 0,
});

beforeEach(() => {
  startSession({ id: 1, username: 'ada', display_name: 'Ada', role: 100, status: 1, group: 'default' });
  vi.stubGlobal('fetch', async (address: string) => {
    const { searchParams } = new URL(address, 'http://here');
    const page = Number(searchParams.get('p'));
    // One key of each page is enough to tell them apart.
    const first = (page - 1) * KEYS_ON_A_PAGE + 1;
    const items = first <= total ? [keyOf(first)] : [];
    const counts = { enabled: total, cooling: 0, spent: 0, revoked: 0, off: 0 };
    const data = searchParams.has('p') ? { items, total, counts, mode: 'in_turn' } : { added: 1 };
    return Response.json({ success: true, message: '', data });
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  endSession();
});

const show = (onClose: () => void = () => undefined) =>
  render(
    <QueryClientProvider client={queryClient}>
      <KeysDialog channel={{ id: 3, name: 'main' } as Channel} onClose={onClose} />
    </QueryClientProvider>,
  );

test('pasted keys are not lost with Escape before it is asked, nor what is typed while they are added', async () => {
  total = 0;
  const closed = vi.fn<() => void>();
  show(closed);
  const box = await screen.findByLabelText('paste');
  const type = (value: string) => fireEvent.change(box, { target: { value } });
  type('key-1\n');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(openedDialog.get()?.request).toMatchObject({ danger: true });
  openedDialog.get()?.answer(false);
  fireEvent.click(screen.getByText('add'));
  type('key-1\nkey-2');
  await expect.poll(() => (box as HTMLTextAreaElement).value).toBe('key-2');
  type('');
  expect(closed).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(closed).toHaveBeenCalledOnce();
});

test('when the last keys of a page are deleted, the page before it is shown, not an empty one', async () => {
  total = KEYS_ON_A_PAGE + 1;
  show();
  fireEvent.click(await screen.findByText('next'));
  expect(await screen.findByText(`key ${KEYS_ON_A_PAGE + 1}`)).toBeDefined();
  total = KEYS_ON_A_PAGE;
  await queryClient.invalidateQueries({ queryKey: [CHANNEL_KEYS] });
  expect(await screen.findByText('key 1')).toBeDefined();
  await expect.poll(() => screen.queryByText('next')).toBeNull();
});
