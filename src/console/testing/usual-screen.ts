/**
 * Before each file of the console's tests, which share modules and a window: what a test waits for may take longer than a second
 * on a busy machine, and the site is the usual one, whatever the file before made of it.
 */
import { beforeAll, vi } from 'vitest';

if ('document' in globalThis) {
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: 30_000 });
  const { refreshSiteStatus } = await import('../lib/server/site-status.ts');
  beforeAll(async () => {
    const data = { system_name: 'Tollgate', quota_per_unit: 500_000, display_in_currency: true, chats: [] };
    vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data }));
    await refreshSiteStatus();
    vi.unstubAllGlobals();
    localStorage.clear();
  });
}
