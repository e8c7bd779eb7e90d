/**
 * Runs before each test file of the console. Files share modules and a window, so the window is emptied, texts are unloaded,
 * and the site's status is the usual one; waits allow for a busy machine. After each test, rendered components and toasts are
 * removed.
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
