// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { openedDialog } from '../../kit/dialogs/dialogs.ts';
import { signOut } from './sign-out.ts';

const controller = new AbortController();
afterEach(() => {
  controller.abort();
  vi.unstubAllGlobals();
});

it('whoever has typed something is asked before the session ends, and stays signed in to save it', async () => {
  const done: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    done.push(url);
    return Response.json({ success: true, message: '', data: null });
  });
  const leave = async (): Promise<void> => void done.push('left');
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal: controller.signal });

  const kept = signOut(leave);
  await expect.poll(() => openedDialog.get()?.request).toMatchObject({ title: 'drawer.discardTitle' });
  openedDialog.get()?.answer(false);
  await kept;
  expect(done).toEqual([]);

  const left = signOut(leave);
  await expect.poll(() => openedDialog.get()).toBeDefined();
  openedDialog.get()?.answer(true);
  await left;
  expect(done).toEqual(['/api/user/logout', 'left']);
});
