import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** The journeys rely on this: in a window that was used before, nothing is left of what was done in it. */

let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(() => site.stop());

/** What a page of the site finds in its window. */
const leftIn = (page: Page) =>
  page.evaluate(async () => ({
    stored: Object.keys(localStorage).toSorted(),
    ofTab: Object.keys(sessionStorage),
    cookies: document.cookie,
    databases: (await indexedDB.databases()).map(({ name }) => name),
    acted: 'acted' in window,
    theme: localStorage.getItem('theme'),
  }));

test('a window that is used again has no cookies, no storage, no tabs, no scripts and no routes of the one before', async () => {
  const before = await site.open({ theme: 'dark' });
  const context = before.page.context();
  await before.page.addInitScript('window.acted = true');
  await before.page.route('**/token', (route) => route.abort());
  await before.page.goto('/about');
  await before.page.evaluate(async () => {
    localStorage.setItem('left', 'x');
    sessionStorage.setItem('left', 'x');
    document.cookie = 'left=x';
    await new Promise((resolve) => {
      indexedDB.open('left').addEventListener('success', resolve);
    });
  });
  await context.newPage();
  await before.close();

  const { page, close } = await site.openForStranger();
  expect(page.context()).toBe(context);
  // A file of the site: the console itself stores more.
  await page.goto('/theme.js');
  expect(await leftIn(page)).toEqual({
    stored: ['i18nextLng', 'theme'],
    ofTab: [],
    cookies: '',
    databases: [],
    acted: false,
    theme: 'light',
  });
  await page.goto('/token');
  await page.waitForURL(/login/);
  // Its own, and the one that keeps what was loaded.
  expect(context.pages()).toHaveLength(2);
  await close();
});
