import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveTo, settled } from '../support/console-moves.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { widerThanPlace, WIDTHS } from '../support/sideways.ts';

/** Features shared by all lists of the console, in a real browser: order, views, density, sticky headers. */

let site: ConsoleSite;
let page: Page;

const PAGES = ['/channel', '/prices', '/token', '/user', '/redemption', '/log'] as const;

beforeAll(async () => {
  site = await startConsole();
  ({ page } = site);
  await site.operator.call('/api/channel', {
    method: 'POST',
    body: {
      type: 1,
      name: 'a channel with a long name',
      key: 'sk-any',
      models: 'gpt-4o',
      group: 'default,vip',
      tag: 'tagged',
    },
  });
  for (const [name, quota] of [
    ['small', 1000],
    ['large', 3_000_000],
    ['middle', 20_000],
  ] as const)
    await site.operator.call('/api/token', {
      method: 'POST',
      body: { name, remain_quota: quota, unlimited_quota: false },
    });
  await site.operator.call('/api/redemption', {
    method: 'POST',
    body: { name: 'gift', quota: 500, count: 30 },
  });
});
afterAll(async () => {
  await site.stop();
});

const names = () => page.locator('tr[data-row] .cell-title').allTextContents();
const choose = async (menu: string, entry: string): Promise<void> => {
  await page.getByRole('button', { name: menu }).click();
  await page
    .getByRole('menuitem', { name: entry, exact: true })
    .or(page.getByRole('menuitemcheckbox', { name: entry, exact: true }))
    .click();
};

test('a list is sorted on the server, and a view of it is saved under a name', async () => {
  await page.goto('/token');
  await page.getByRole('button', { name: 'Quota' }).click();
  await expect.poll(names).toEqual(['large', 'middle', 'small']);
  await choose('Saved views', 'Save this view');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name of the view' }).fill('by what is left');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.goto('/token?q=small');
  await expect.poll(names).toEqual(['small']);
  await choose('Saved views', 'by what is left');
  await expect.poll(names).toEqual(['large', 'middle', 'small']);
  await expect.poll(() => new URL(page.url()).search).toBe('?sort=-quota');
  await choose('Saved views', 'Remove by what is left');
  await page.getByRole('button', { name: 'Saved views' }).click();
  await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Save this view']);
  await page.keyboard.press('Escape');
});

test('rows are compact if that is chosen, also after a reload', async () => {
  await page.goto('/redemption');
  const height = () =>
    page
      .locator('tr[data-row]')
      .first()
      .evaluate((row) => row.getBoundingClientRect().height);
  await expect.poll(height).toBeGreaterThan(50);
  await choose('Columns', 'Compact rows');
  await expect.poll(height).toBeLessThan(43);
  await page.reload();
  await expect.poll(height).toBeLessThan(43);
  await choose('Columns', 'Compact rows');
  await expect.poll(height).toBeGreaterThan(50);
});

test('a column keeps the width set by mouse or keyboard, also after a reload, until it is reset', async () => {
  await page.goto('/redemption');
  const head = page.locator('thead th', { hasText: 'Name' });
  const widthPx = () => head.evaluate((cell) => cell.getBoundingClientRect().width);
  const first = await widthPx();
  const grip = await head.locator('.column-grip').boundingBox();
  const [x, y] = [(grip?.x ?? 0) + 5, (grip?.y ?? 0) + 10];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y);
  await page.mouse.move(x + 60, y);
  await page.mouse.up();
  await expect.poll(widthPx).toBeCloseTo(first + 60, 0);
  await page.reload();
  await expect.poll(widthPx).toBeCloseTo(first + 60, 0);
  await choose('Columns', 'Adjust widths with the arrow keys');
  const edge = page.getByRole('separator', { name: 'Width of Name' });
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(widthPx).toBeCloseTo(first + 44, 0);
  expect(await edge.getAttribute('aria-valuetext')).toMatch(/^\d+ px$/);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await choose('Columns', 'Reset widths');
  await expect.poll(widthPx).toBeCloseTo(first, 0);
});

test('no list needs horizontal scrolling from 768 pixels on, and below 760 each is shown as cards', async () => {
  const before = page.viewportSize();
  for (const path of PAGES) {
    await moveTo(page, path);
    await settled(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      if (path !== '/log') await page.locator('tr[data-row]').first().waitFor();
      expect([path, width, await widerThanPlace(page, 'html, .table-scroll')]).toEqual([path, width, []]);
    }
    await page.setViewportSize({ width: 740, height: 900 });
    if (path !== '/log') await page.locator('.card[data-row]').first().waitFor();
  }
  if (before !== null) await page.setViewportSize(before);
});

test('the list of tokens fits on a small laptop also when its tokens are half an hour old', async () => {
  const limited = { model_limits_enabled: true, model_limits: 'gpt-4o,gpt-4o-mini' };
  // The second is used up, which is the longest state.
  for (const [name, quota] of [
    ['nightly reports', 516_932],
    ['reports of the north', 0],
  ] as const) {
    const body = { name, remain_quota: quota, unlimited_quota: false, ...limited };
    await site.operator.call('/api/token', { method: 'POST', body });
  }
  const { page: later, close } = await site.open({ isOwn: true });
  await later.setViewportSize({ width: 1024, height: 768 });
  await later.clock.setFixedTime(Date.now() + 29 * 60_000);
  await later.goto('/token');
  await later.getByText('29 minutes ago').first().waitFor();
  expect(await widerThanPlace(later, 'html, .table-scroll')).toEqual([]);
  await close();
});

test('the tools of a list stand together at the end of a line, however many lines the filters take', async () => {
  const before = page.viewportSize();
  await moveTo(page, '/log');
  await settled(page);
  for (const width of [1920, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 900 });
    const boxes = await Promise.all(
      (await page.locator('.toolbar .icon-button').all()).map((tool) => tool.boundingBox()),
    );
    expect(new Set(boxes.map((box) => box?.y)).size, `lines at ${width}`).toBe(1);
    const list = await page.locator('section.resource').boundingBox();
    const last = boxes.at(-1);
    const end = (box: typeof list | undefined): number => (box ? box.x + box.width : Number.NaN);
    expect(end(last), `at ${width}`).toBeCloseTo(end(list), 0);
  }
  if (before !== null) await page.setViewportSize(before);
});

test('where today has no calls yet, one click shows those of the last week', async () => {
  const account = { username: 'newcomer', password: 'newcomer-pw-1' };
  await site.operator.call('/api/user', { method: 'POST', body: account });
  const { page: theirs } = await site.open(account);
  await theirs.goto('/log');
  await theirs.getByText('No logs yet today').waitFor();
  await theirs.getByRole('link', { name: 'Last 7 days' }).click();
  await expect.poll(() => new URL(theirs.url()).searchParams.get('range')).toBe('week');
});

test('of a long list only the rows near the viewport have all their cells, until the page is searched', async () => {
  await site.operator.call('/api/redemption', {
    method: 'POST',
    body: { name: 'more', quota: 500, count: 60 },
  });
  await page.setViewportSize({ width: 1440, height: 700 });
  await page.goto('/redemption');
  await page.getByRole('combobox', { name: 'Per page' }).selectOption('100');
  const rows = page.locator('tr[data-row]');
  const far = page.locator('tr.row-far');
  await expect.poll(() => rows.count()).toBe(90);
  await expect.poll(() => far.count()).toBeGreaterThan(50);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const [first, last] = [rows.first(), rows.last()];
  await first.getByRole('checkbox').check();
  await last.scrollIntoViewIfNeeded();
  await last.getByRole('button', { name: /^Edit/ }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height);
  await expect.poll(() => rows.nth(10).getAttribute('class')).toContain('row-far');
  // What somebody works with stays.
  expect(await first.getByRole('checkbox').isChecked()).toBe(true);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  expect(await page.locator('tr[data-row][aria-selected=true]').count()).toBe(90);
  await page.keyboard.press('Control+f');
  await expect.poll(() => far.count()).toBe(0);
  await page.reload();
  await expect.poll(() => far.count()).toBeGreaterThan(50);
  // The browser takes the page as it is once this event is over.
  const printed = "dispatchEvent(new Event('beforeprint')); document.querySelectorAll('tr.row-far').length";
  expect(await page.evaluate(printed)).toBe(0);
});

test('what hangs is told after ten seconds, and asked for anew by a click', async () => {
  let calls = 0;
  const { page: patient, close } = await site.open({ isOwn: true });
  // The page's clock stands still and is moved by the test alone, however slow the machine is.
  await patient.clock.install({ time: 0 });
  await patient.clock.pauseAt(1000);
  await patient.route(/\/api\/redemption(\?|$)/, (route) => {
    calls += 1;
    // The first is never answered.
    return calls === 1 ? undefined : route.continue();
  });
  await patient.goto('/redemption');
  const passing = async (ms: number): Promise<number> => {
    await patient.clock.runFor(ms);
    return patient.evaluate('performance.now()');
  };
  await expect.poll(async () => ((await passing(10)) > 0 ? calls : 0)).toBe(1);
  const askedMs = await passing(0);
  const told = patient.getByText('The server is taking unusually long to answer.');
  await passing(9500 - askedMs);
  expect(await told.count()).toBe(0);
  await passing(500 + askedMs);
  // The code that shows it loads after the page, and may start its timer late.
  await expect.poll(async () => ((await passing(1)) > 0 ? told.count() : 0)).toBe(1);
  await patient.getByRole('button', { name: 'Try now' }).click();
  await patient.clock.resume();
  await patient.locator('tr[data-row]').first().waitFor();
  await told.waitFor({ state: 'detached' });
  await close();
});

test('the header of a long list stays visible while it is scrolled', async () => {
  await page.setViewportSize({ width: 1440, height: 700 });
  await page.goto('/redemption');
  await page.getByRole('combobox', { name: 'Per page' }).selectOption('50');
  await expect.poll(() => page.locator('tr[data-row]').count()).toBe(50);
  await page.locator('tr[data-row]').nth(25).scrollIntoViewIfNeeded();
  const { head, bar } = await page.evaluate(() => ({
    head: document.querySelector('.table thead')?.getBoundingClientRect().top,
    bar: document.querySelector('.top')?.getBoundingClientRect().bottom,
  }));
  expect(head).toBeCloseTo(bar ?? 0, 0);
  expect(site.visit.problems).toEqual([]);
});
