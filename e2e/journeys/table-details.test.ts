import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveTo } from '../support/console-moves.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** What narrow lists have no room for, in the details of their rows. */

let site: ConsoleSite;
let page: Page;

beforeAll(async () => {
  site = await startConsole();
  ({ page } = site);
  const make = (path: string, body: object) => site.operator.call(path, { method: 'POST', body });
  await make('/api/channel', { type: 1, name: 'one', key: 'sk-any', models: 'gpt-4o', tag: 'tagged' });
  await make('/api/token', { name: 'small', remain_quota: 1000, unlimited_quota: false });
  await make('/api/redemption', { name: 'gift', quota: 500, count: 1 });
  await page.goto('/channel');
});
afterAll(async () => {
  await site.stop();
});

const fold = () => page.getByRole('button', { name: /^Details of / }).first();
const shown = () => page.locator('.left-out-cells > div').filter({ visible: true }).locator('dt');

test.each([
  ['/channel', 1024, ['Tag']],
  ['/token', 768, ['Group']],
  ['/user', 768, ['Role', 'Calls', 'Invites']],
  ['/redemption', 768, ['Expires']],
  ['/channel', 768, ['Used / balance', 'Priority', 'Weight', 'Tag']],
] as const)(
  'what the list %s has no room for at %i pixels is in the details of its rows, as the menu of columns says',
  async (path, width, titles) => {
    await page.setViewportSize({ width, height: 900 });
    await moveTo(page, path);
    await fold().click();
    await expect.poll(() => shown().allTextContents()).toEqual(titles);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await widerThanPlace(page, 'html, .table-scroll')).toEqual([]);
    await page.getByRole('button', { name: 'Columns' }).click();
    for (const title of titles)
      await page.getByRole('menuitemcheckbox', { name: `${title} (in the details)` }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(() => shown().count()).toBe(0);
  },
);

test.each([
  ['/user', ['Calls']],
  ['/channel', ['Used / balance', 'Priority', 'Weight', 'Tag']],
] as const)('what the cards of %s leave out is in their details', async (path, titles) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await moveTo(page, path);
  await fold().click();
  await expect.poll(() => shown().allTextContents()).toEqual(titles);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await widerThanPlace(page)).toEqual([]);
});

test('a wide list whose rows have no details of their own has nothing to unfold', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await moveTo(page, '/user');
  await page.locator('tr[data-row]').first().waitFor();
  expect(await fold().isVisible()).toBe(false);
  expect(site.visit.problems).toEqual([]);
});
