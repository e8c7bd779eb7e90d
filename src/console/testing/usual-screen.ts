/**
 * Before each file of the console's tests, which share modules and a window: what a test waits for may take longer than a second
 * on a busy machine; and whatever the file before did, the window is empty, no texts are loaded, and the site is the usual one.
 * After each test, what it rendered is gone, and the toasts it left are closed.
 */
import { afterEach, beforeAll, vi } from 'vitest';
import { forgetTexts } from '../lib/text/i18n.ts';
import { closeToast, toasts } from '../lib/toasts.ts';

forgetTexts();

if ('document' in globalThis) {
  const { cleanup, configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: 90_000 });
  afterEach(() => {
    cleanup();
    for (const { id } of toasts.get()) closeToast(id);
  });
  document.body.replaceChildren();
  const { refreshSiteStatus } = await import('../lib/server/site-status.ts');
  beforeAll(async () => {
    const data = { system_name: 'Tollgate', quota_per_unit: 500_000, display_in_currency: true, chats: [] };
    vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data }));
    await refreshSiteStatus();
    vi.unstubAllGlobals();
    localStorage.clear();
  });
}
