import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedBrowser } from '../support/chromium.ts';
import { accessibilityProblems } from '../support/console-visit.ts';

/** The journeys of all pages rely on this: a target that is too small to press is found, wherever it is. */

let page: Page;

beforeAll(async () => {
  page = await (await sharedBrowser()).newPage({ viewport: { width: 600, height: 400 } });
});
afterAll(() => page.context().close());

const button = (name: string, size: number): string =>
  `<button style="display:block;padding:0;border:0;width:${size}px;height:${size}px;overflow:hidden">${name}</button>`;
const smallOnes = button('One', 12) + button('Two', 12);
const largeOnes = button('One', 24) + button('Two', 24);

const found = async (body: string, scrollY = 0): Promise<number> => {
  await page.setContent(
    `<!doctype html><html lang="en"><title>Targets</title><body style="margin:0"><main>${body}</main></body></html>`,
  );
  await page.evaluate(`scrollTo(0, ${scrollY})`);
  const problems = await accessibilityProblems(page);
  return problems.filter((problem) => problem.startsWith('target-size')).length;
};

const dialog = (content: string): string =>
  `<div role="dialog" aria-modal="true" aria-label="Ask" style="position:fixed;inset:6px 100px 100px;background:#fff">${content}</div>`;

test('buttons beside each other that are smaller than 24 pixels are found, larger ones are not', async () => {
  expect(await found(smallOnes)).toBe(2);
  expect(await found(largeOnes)).toBe(0);
});

test('where a dialog lies above, only what is in the topmost one counts', async () => {
  expect(await found(smallOnes + dialog(largeOnes))).toBe(0);
  expect(await found(largeOnes + dialog(smallOnes))).toBe(2);
  expect(await found(dialog(smallOnes) + dialog(largeOnes))).toBe(0);
});

test('under a bar that stays while the page scrolls a large button is large, and a small one small', async () => {
  const bar = `<div style="position:sticky;top:0;background:#fff;z-index:2">${button('Bar', 52)}</div>`;
  const space = '<div style="height:600px"></div>';
  const scrolled = (buttons: string): Promise<number> => found(bar + space + buttons + space, 620);
  expect(await scrolled(largeOnes)).toBe(0);
  // The first small target is completely hidden under the bar.
  expect(await scrolled(smallOnes)).toBe(1);
});
