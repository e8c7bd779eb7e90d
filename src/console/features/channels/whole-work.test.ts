// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openedDialog } from '../../kit/dialogs/dialogs.ts';
import { loadTexts, setLanguage } from '../../lib/text/i18n.ts';
import { toasts } from '../../lib/toasts.ts';
import { askAndRemove } from './whole-work.ts';

beforeAll(async () => {
  await setLanguage('en');
  await loadTexts('channel-more');
});
afterEach(() => vi.unstubAllGlobals());

it('deleting all disabled channels says how many there are, by hand or automatically, and none is no question', async () => {
  const counts = { enabled: 9, disabled: 2, auto_disabled: 3 };
  vi.stubGlobal('fetch', (path: string, { method }: { readonly method?: string }) =>
    Promise.resolve(
      Response.json({
        success: true,
        message: '',
        data: path.includes('counts') && method !== 'DELETE' ? counts : 5,
      }),
    ),
  );
  const done = askAndRemove();
  await expect
    .poll(() => openedDialog.get()?.request)
    .toMatchObject({ title: 'Delete all 5 disabled channels?' });
  openedDialog.get()?.answer(true);
  await done;
  Object.assign(counts, { disabled: 0, auto_disabled: 0 });
  await askAndRemove();
  expect(openedDialog.get()).toBeUndefined();
  expect(toasts.get().map(({ text }) => text)).toEqual([
    '5 disabled channels deleted',
    'No channel is disabled',
  ]);
});
