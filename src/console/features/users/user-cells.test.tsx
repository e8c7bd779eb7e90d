// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openedDialog } from '../../kit/dialogs/dialogs.ts';
import { setLanguage, loadTexts } from '../../lib/text/i18n.ts';
import { startSession } from '../../lib/session/session.ts';
import type { User } from './user.ts';
import { StatusCell } from './user-cells.tsx';

beforeAll(async () => {
  await setLanguage('en');
  await loadTexts('users');
});
afterEach(() => vi.unstubAllGlobals());

it('the switch bans only after the question that the menu asks, and enables without one', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (_: string, { body }: { readonly body: string }) => {
    sent.push(JSON.parse(body));
    return Promise.resolve(
      Response.json({ success: true, message: '', data: { role: 1, status: 2, quota: 0 } }),
    );
  });
  startSession({ id: 1, username: 'root', role: 100 } as Parameters<typeof startSession>[0]);
  const alice = { id: 7, username: 'alice', role: 1, status: 1, DeletedAt: null } as User;
  const { rerender } = render(<StatusCell user={alice} />);
  fireEvent.click(screen.getByRole('switch'));
  expect(openedDialog.get()?.request).toMatchObject({ title: 'Ban alice?', action: 'Ban', danger: true });
  openedDialog.get()?.answer(false);
  fireEvent.click(screen.getByRole('switch'));
  openedDialog.get()?.answer(true);
  await expect.poll(() => sent).toEqual([{ id: 7, action: 'disable' }]);
  rerender(<StatusCell user={{ ...alice, status: 2 }} />);
  fireEvent.click(screen.getByRole('switch'));
  await expect.poll(() => sent.at(1)).toEqual({ id: 7, action: 'enable' });
  expect(openedDialog.get()).toBeUndefined();
});
