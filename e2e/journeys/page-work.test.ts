import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { settled } from '../support/console-moves.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { takeDrawn, watchDrawing } from '../support/drawn-parts.ts';

/** How many components an action renders again: counted, not timed. */

let site: ConsoleSite;
let page: Page;

beforeAll(async () => {
  site = await startConsole();
  ({ page } = site);
  for (let at = 0; at < 60; at += 1)
    await site.operator.call('/api/channel', {
      method: 'POST',
      body: {
        type: 1,
        name: `channel ${at}`,
        key: `sk-${at}`,
        models: 'gpt-4o,gpt-4o-mini',
        group: 'default',
      },
    });
  await page.addInitScript(`localStorage.setItem('page-size', '50')`);
  await watchDrawing(page);
});
afterAll(() => site.stop());

/** How many components of an idle page are rendered by an action and everything that follows from it. */
const drawnBy = async (act: () => Promise<unknown>): Promise<number> => {
  await settled(page);
  await takeDrawn(page);
  await act();
  await settled(page);
  return takeDrawn(page);
};
const rows = (): Locator => page.locator('tr[data-row]');

test('choosing a row and typing a filter draw no cell of the other rows', async () => {
  await page.goto('/channel');
  await rows().first().waitFor();
  await settled(page);
  const all = await takeDrawn(page);
  // Far more than the actions below may render; otherwise their limits would say nothing.
  expect(all).toBeGreaterThan(500);
  const box = rows().nth(3).getByRole('checkbox').first();
  expect(await drawnBy(() => box.check())).toBeLessThan(150);
  await page.locator('[data-table-search]').focus();
  // Before the pause after which it is searched.
  expect(
    await drawnBy(() => page.keyboard.type('x').then(() => page.keyboard.press('Backspace'))),
  ).toBeLessThan(40);
});

test('what is loaded when a row is opened draws no other row again', async () => {
  await page.goto('/channel');
  await rows().first().waitFor();
  const drawn = await drawnBy(() => page.locator('.row-fold').nth(1).click());
  await page.locator('.row-more').waitFor();
  // The row's texts load late. They once made every row render again.
  expect(drawn).toBeLessThan(105);
});

test('a letter in one of the settings draws no other setting', async () => {
  await page.goto('/setting?tab=operation');
  await page.locator('main .cm-content').first().waitFor();
  await page.locator('main textarea').first().focus();
  // All of the tab would be 629 components.
  expect(await drawnBy(() => page.keyboard.type('x'))).toBeLessThan(300);
});

const traced = z.object({
  value: z.array(
    z.object({
      name: z.string(),
      args: z.object({ elementCount: z.number().optional() }).loose().optional(),
    }),
  ),
});

/** The most elements whose style the browser recalculates at once during an action. */
const mostRestyledBy = async (act: () => Promise<unknown>): Promise<number> => {
  const browser = await page.context().newCDPSession(page);
  const counts: number[] = [];
  browser.on('Tracing.dataCollected', (told) => {
    for (const { name, args } of traced.parse(told).value)
      if (name === 'UpdateLayoutTree') counts.push(args?.elementCount ?? 0);
  });
  await browser.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline'] },
  });
  await act();
  await settled(page);
  const isComplete = new Promise((resolve) => browser.once('Tracing.tracingComplete', resolve));
  await browser.send('Tracing.end');
  await isComplete;
  await browser.detach();
  return Math.max(...counts);
};

test('a drawer and the palette leave the style of the rows behind them alone when they open and close, also the first time', async () => {
  await page.goto('/channel');
  await rows().first().waitFor();
  await settled(page);
  const behind = await page.locator('tr[data-row] *').count();
  expect(behind).toBeGreaterThan(500);
  const drawer = page.locator('.drawer .models-field');
  const edit = page.getByRole('button', { name: /^Edit / }).nth(1);
  const open = () => edit.click().then(() => drawer.waitFor());
  const close = () => page.keyboard.press('Escape').then(() => drawer.waitFor({ state: 'detached' }));
  // Its code and style sheets come when somebody is about to open it.
  const turnedTo = await mostRestyledBy(() => edit.hover());
  const opened = await mostRestyledBy(open);
  const closed = await mostRestyledBy(close);
  expect(turnedTo).toBeLessThan(behind / 2);
  expect(opened).toBeLessThan(behind / 2);
  expect(closed).toBeLessThan(behind / 2);
  const palette = page.locator('.palette');
  const found = await mostRestyledBy(() => page.keyboard.press('Control+k').then(() => palette.waitFor()));
  const left = await mostRestyledBy(() =>
    page.keyboard.press('Escape').then(() => palette.waitFor({ state: 'detached' })),
  );
  expect(found).toBeLessThan(behind / 2);
  expect(left).toBeLessThan(behind / 2);
});

test('a list in the place of another is styled once', async () => {
  await page.goto('/channel');
  await rows().first().waitFor();
  await settled(page);
  const all = await page.locator('tr[data-row] *').count();
  const turn = page.getByRole('button', { name: 'Group by tag' });
  await turn.click();
  await rows().first().waitFor({ state: 'detached' });
  await settled(page);
  // Its cells are styled as they are laid out; what is measured then may not style all of them again.
  expect(await mostRestyledBy(() => turn.click().then(() => rows().first().waitFor()))).toBeLessThan(all / 4);
});

test('a change of density restyles some rows at a time', async () => {
  await page.goto('/channel');
  await rows().first().waitFor();
  await settled(page);
  const all = await page.locator('tr[data-row] *').count();
  for (const height of [40, 52]) {
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    const turn = page.getByRole('menuitemcheckbox', { name: 'Compact rows' });
    expect(await mostRestyledBy(() => turn.click())).toBeLessThan(all / 3);
    const heightOf = (row: HTMLElement): number => row.querySelector('td')?.offsetHeight ?? 0;
    await expect.poll(() => rows().nth(1).evaluate(heightOf)).toBeCloseTo(height, -1);
  }
});
