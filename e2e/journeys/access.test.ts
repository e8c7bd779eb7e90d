import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { makeFirstCall } from '../support/first-call.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { moveTo, settled } from '../support/console-moves.ts';
import { accessibilityProblems, type ConsoleVisit } from '../support/console-visit.ts';
import { widerThanPlace } from '../support/sideways.ts';

/**
 * Every page for everybody: what axe finds, what is too small to be pressed, what is scrolled sideways. Each page is seen in
 * two of four looks, which take turns, so that every width meets both themes and languages over all pages.
 */

const LOOKS = [
  { width: 1440, language: 'en', theme: 'light' },
  { width: 1024, language: 'zh', theme: 'dark' },
  { width: 768, language: 'en', theme: 'dark' },
  { width: 390, language: 'zh', theme: 'light' },
] as const;
/** Windows of 1440 and 1280 pixels at 200 % zoom. */
const ZOOMED = [
  { width: 720, height: 450 },
  { width: 640, height: 400 },
] as const;

/** A window of 1280 pixels at 400 % zoom. */
const ZOOMED_MOST = { width: 320, height: 640 };

const PAGES = [
  '/detail',
  '/playground',
  '/token',
  '/connect',
  '/log',
  '/midjourney',
  '/task',
  '/topup',
  '/statements',
  '/setting',
  '/setting?tab=operation',
  '/channel',
  '/live',
  '/prices',
  '/price-book',
  '/redemption',
  '/user',
  '/pricing',
  '/availability',
  '/about',
  '/',
] as const;

let simulator: RunningSimulator;
let site: ConsoleSite;

beforeAll(async () => {
  [simulator, site] = await Promise.all([startSimulator(), startConsole()]);
  await makeFirstCall(site, simulator);
});
afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

/** On a wide screen only the content scrolls; if the window did, menu and top bar would move out of view. */
const scrollingWindow = `(() => {
  const { scrollHeight, clientHeight, clientWidth } = document.documentElement;
  const hasSheet = clientWidth > 390 && document.querySelector('.sheet') !== null;
  return hasSheet && scrollHeight > clientHeight ? ['the window scrolls'] : [];
})()`;

/** The problems of the current page. */
const problemsOf = async (page: Page): Promise<readonly string[]> => [
  ...(await widerThanPlace(page)),
  ...(await page.evaluate<string[]>(scrollingWindow)),
  ...(await accessibilityProblems(page, { within: 'html' })),
];

const lookOf = async ({ width, language, theme }: (typeof LOOKS)[number]): Promise<ConsoleVisit> => {
  const visit = await site.open({ language, theme, isPhone: width === 390 });
  if (width !== 390) await visit.page.setViewportSize({ width, height: 900 });
  return visit;
};

test.each(LOOKS.map((look, at) => [look.width, look, at] as const))(
  'at %i pixels pages have nothing that axe finds, nothing small, nothing sideways',
  async (_, look, at) => {
    const visit = await lookOf(look);
    const found: string[] = [];
    for (const path of PAGES.filter((_path, place) => place % 2 === at % 2)) {
      await moveTo(visit.page, path);
      await settled(visit.page);
      found.push(...(await problemsOf(visit.page)).map((problem) => `${path}: ${problem}`));
    }
    expect(found).toEqual([]);
    expect(visit.problems).toEqual([]);
    await visit.close();
  },
);

test('at 200 % and 400 % zoom nothing needs horizontal scrolling, and there are no accessibility problems', async () => {
  const { page, close } = await site.open({ theme: 'dark' });
  const found: string[] = [];
  for (const [at, path] of ['/detail', '/channel', '/log', '/setting', '/pricing'].entries()) {
    const size = ZOOMED[at % 2] ?? ZOOMED[0];
    await page.setViewportSize(size);
    await moveTo(page, path);
    await settled(page);
    found.push(...(await problemsOf(page)).map((problem) => `${path}: ${problem}`));
    const account = await page.getByRole('button', { name: 'Account: root' }).boundingBox();
    if (account === null || account.x + account.width > size.width) found.push(`${path}: the account is cut`);
    await page.setViewportSize(ZOOMED_MOST);
    found.push(...(await widerThanPlace(page)).map((problem) => `${path}, 400 %: ${problem}`));
  }
  expect(found).toEqual([]);
  await close();
  const { page: visitor, close: leave } = await site.openForStranger();
  await visitor.setViewportSize(ZOOMED[1]);
  await visitor.goto('/');
  await visitor.getByRole('link', { name: 'Sign in' }).waitFor();
  // Links that do not fit can be scrolled to, which nothing on the page shows.
  expect(await visitor.locator('.top-links').evaluate((links) => links.scrollWidth - links.clientWidth)).toBe(
    0,
  );
  await leave();
});

/** The page as a screen reader reads it, line by line. */
const read = (page: Page): Promise<string> => page.locator('body').ariaSnapshot();
/** The parts that are not in the expected order. */
const outOfOrder = (text: string, parts: readonly string[]): readonly string[] => {
  let from = 0;
  return parts.filter((part) => {
    const at = text.indexOf(part, from);
    if (at >= 0) from = at + part.length;
    return at < 0;
  });
};

test('a screen reader reads sign-in, tokens and logs in the order of use', async () => {
  const { page: stranger, close } = await site.openForStranger();
  await stranger.goto('/login');
  await stranger.getByRole('textbox', { name: /Username/ }).waitFor();
  expect(
    outOfOrder(await read(stranger), ['heading', 'textbox "Username', 'textbox "Password', 'button "']),
  ).toEqual([]);
  await close();
  const { page } = site;
  await page.goto('/token');
  await page.locator('tr[data-row]').first().waitFor();
  expect(
    outOfOrder(await read(page), [
      'Skip to content',
      'navigation',
      'main',
      'heading "Tokens"',
      'button "Create token"',
      'searchbox',
      'table "',
      'columnheader "Name',
      'row "',
      'notebook',
      'button "Edit notebook"',
    ]),
  ).toEqual([]);
  await page.goto('/log');
  await page.locator('tr[data-row]').first().waitFor();
  await page.getByRole('combobox', { name: 'All types' }).waitFor();
  expect(
    outOfOrder(await read(page), [
      'main',
      'heading "Usage logs"',
      'combobox "All types"',
      'table "Usage logs"',
      'columnheader "Time',
      'columnheader "Cost',
      'gpt-4o-mini',
    ]),
  ).toEqual([]);
});
