import { afterEach, expect, it, vi } from 'vitest';
import { addQuota } from './user-calls.ts';

afterEach(() => vi.unstubAllGlobals());

const ADDED = Response.json({ success: true, message: '', data: { role: 1, status: 1, quota: 5 } });

it('a gift whose answer was lost is sent again as the same gift, and the next one as another, also without https', async () => {
  // As on pages without https.
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const keys: unknown[] = [];
  let isLost = true;
  vi.stubGlobal('fetch', (_: string, { body }: { readonly body: string }) => {
    keys.push((JSON.parse(body) as { readonly key: string }).key);
    return isLost ? Promise.reject(new TypeError('lost')) : Promise.resolve(ADDED.clone());
  });
  await expect(addQuota(2, 5, '')).rejects.toThrow();
  isLost = false;
  await addQuota(2, 5, '');
  await addQuota(2, 5, '');
  const [first, again, next] = keys;
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(again).toBe(first);
  expect(next).not.toBe(first);
});
