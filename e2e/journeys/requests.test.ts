import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { settled } from '../support/console-moves.ts';

/** What a page asks the server for, and when. */

let site: ConsoleSite;

beforeAll(async () => {
  site = await startConsole({ isOwn: true });
});
afterAll(() => site.stop());

test('the parts and texts of a page are asked for before any script of the console has run', async () => {
  const visit = await site.open({ language: 'zh', isOwn: true });
  const asked = new Set<string>();
  visit.page.on('request', (request) => asked.add(request.url()));
  const html = await (await fetch(`${site.url}/channel`)).text();
  const entry = /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1] ?? 'none';
  await visit.page.route(`**${entry}`, () => undefined);
  await visit.page.goto('/channel', { waitUntil: 'commit' });
  const code = async (): Promise<string> => {
    const parts = [...asked].filter((url) => url.endsWith('.js') && !url.endsWith(entry));
    return (await Promise.all(parts.map(async (url) => (await fetch(url)).text()))).join();
  };
  for (const own of ['channel-quota', '汇聚上游渠道']) await expect.poll(code).toContain(own);
  expect(await code()).not.toContain('Upstream providers, routed by priority and weight');
  await visit.close();
});

test('the parts of a page that is moved to are asked for together, before one of them has come', async () => {
  const visit = await site.open({ isOwn: true });
  const { page } = visit;
  await page.goto('/live');
  await settled(page);
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(request.url()));
  await page.route('**/assets/**', () => undefined);
  await page.getByRole('link', { name: 'Channels' }).first().click();
  const code = async (): Promise<string> => {
    const parts = [...asked].filter((url) => url.endsWith('.js'));
    return (await Promise.all(parts.map(async (url) => (await fetch(url)).text()))).join();
  };
  // Its own, and those of the table, which its own would ask for.
  for (const part of ['channel-quota', 'toolbar-tools']) await expect.poll(code).toContain(part);
  await visit.close();
});

test('no page asks the server for anything while it is hidden, and each does when it is seen again', async () => {
  const { page, close } = await site.open({ isOwn: true });
  let asked = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) asked += 1;
  });
  await page.clock.install();
  for (const path of ['/detail', '/channel', '/log', '/live', '/availability', '/token']) {
    const turn = (state: 'hidden' | 'visible') =>
      page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        Object.defineProperty(document, 'hidden', { value: ${state === 'hidden'}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`);
    await page.goto(path);
    await page.clock.runFor(5000);
    await settled(page);
    await turn('hidden');
    await page.clock.runFor(2000);
    await settled(page);
    const before = asked;
    await page.clock.runFor(11 * 60_000);
    await settled(page);
    expect([path, asked - before]).toEqual([path, 0]);
    await turn('visible');
    await page.clock.runFor(1000);
    await expect.poll(() => asked > before, { message: path }).toBe(true);
  }
  await close();
});

test('the list of channels asks for the models it could be narrowed to when somebody wants to', async () => {
  const { page, close } = await site.open({ isOwn: true });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/channel');
  await settled(page);
  expect(asked).toContain('/api/channel');
  expect(asked).not.toContain('/api/channel/models');
  // The menu and the list count the same channels.
  expect(asked.filter((path) => path === '/api/channel/counts')).toHaveLength(1);
  await page.getByRole('combobox', { name: 'Model' }).click();
  await expect.poll(() => asked).toContain('/api/channel/models');
  // A long list is drawn as far as it is scrolled.
  await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBeGreaterThan(20);
  await close();
});
