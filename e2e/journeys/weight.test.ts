import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** What the pages load by themselves, before anybody has touched them: not only what their first chunks name. */

let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(() => site.stop());

const SCRIPT_OR_STYLE = /\/(?:assets\/[\w-]+|theme)\.(?:js|css)$/;

/** The scripts and styles of a page: how many they are, and how many kB gzipped. */
const weightOf = async (page: Page, path: string): Promise<{ files: number; kilobytes: number }> => {
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (SCRIPT_OR_STYLE.test(new URL(response.url()).pathname))
      sizes.push(response.body().then((bytes) => gzipSync(bytes).length));
  });
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  const all = await Promise.all(sizes);
  return { files: all.length, kilobytes: all.reduce((sum, bytes) => sum + bytes, 0) / 1000 };
};

// Limits of the specification of speed; the least says that something was measured at all.
it('the login page weighs at most 130 kB, with all that it loads by itself', async () => {
  const context = await site.browser.newContext({ baseURL: site.url });
  const { kilobytes } = await weightOf(await context.newPage(), '/login');
  await context.close();
  expect(kilobytes).toBeGreaterThan(100);
  expect(kilobytes).toBeLessThanOrEqual(130);
});

it.each(['/channel', '/log', '/setting'])(
  '%s weighs at most 220 kB in 55 files, with all that it loads by itself',
  async (path) => {
    const { page, close } = await site.open({ isOwn: true });
    const { files, kilobytes } = await weightOf(page, path);
    await close();
    expect(kilobytes).toBeGreaterThan(150);
    expect(kilobytes).toBeLessThanOrEqual(220);
    expect(files).toBeLessThanOrEqual(55);
  },
);

it('a filter whose list is not loaded yet takes what is typed, and shows the choices that fit', async () => {
  const { page, close } = await site.open({ isOwn: true });
  await page.goto('/channel');
  const type = page.getByRole('combobox', { name: 'Type' });
  await type.focus();
  await page.keyboard.type('anthr');
  await page.getByRole('option', { name: 'Anthropic' }).waitFor();
  expect(await type.inputValue()).toBe('anthr');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('type')).not.toBeNull();
  // Pressed again, it takes another search, not letters at the end of what is chosen.
  await type.click();
  await page.keyboard.type('openai');
  expect(await type.inputValue()).toBe('openai');
  await close();
});

it('a filter that is pressed before its list is loaded opens it', async () => {
  const { page, close } = await site.open({ isOwn: true });
  await page.goto('/log');
  await page.getByRole('combobox', { name: 'All types' }).click();
  await page.getByRole('option', { name: 'Error' }).waitFor();
  expect(await page.getByRole('option').count()).toBeGreaterThan(3);
  await close();
});
