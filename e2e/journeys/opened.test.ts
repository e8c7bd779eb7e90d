import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { makeFirstCall } from '../support/first-call.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { moveTo, settled } from '../support/console-moves.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { widerThanPlace } from '../support/sideways.ts';

/**
 * Everything that opens, for everybody: drawers, dialogs, menus, lists of choices, rows, the palette. Each is opened once on
 * a wide screen and once on a phone, and looked at in all four widths and both themes.
 */

let simulator: RunningSimulator;
let site: ConsoleSite;

beforeAll(async () => {
  [simulator, site] = await Promise.all([startSimulator(), startConsole()]);
  await makeFirstCall(site, simulator);
  await site.operator.call('/api/redemption', {
    method: 'POST',
    body: { name: 'gift', quota: 500, count: 1 },
  });
});
afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

type Press = readonly [role: 'button' | 'combobox' | 'menuitem', name: string | RegExp];
interface Opening {
  readonly path: string;
  readonly presses: readonly Press[];
  /** Not given: on both. */
  readonly on?: 'wide' | 'phone';
}

const menuOfNorth: Press = ['button', 'More actions for north'];
const OPENINGS: readonly Opening[] = [
  { path: '/channel', presses: [['button', 'Add channel']] },
  { path: '/channel', presses: [['button', 'More actions']] },
  { path: '/channel', presses: [['button', 'Columns']], on: 'wide' },
  { path: '/channel', presses: [['combobox', 'Type']], on: 'wide' },
  {
    path: '/channel',
    presses: [
      ['button', 'Filters'],
      ['combobox', 'Type'],
    ],
    on: 'phone',
  },
  { path: '/channel', presses: [menuOfNorth] },
  { path: '/channel', presses: [menuOfNorth, ['menuitem', 'Delete']] },
  { path: '/channel', presses: [menuOfNorth, ['menuitem', 'Test with model…']] },
  { path: '/channel', presses: [menuOfNorth, ['menuitem', 'Keys…']] },
  { path: '/channel?explain=1', presses: [] },
  { path: '/token', presses: [['button', 'Create token']] },
  { path: '/token', presses: [['button', 'Details of notebook']] },
  { path: '/log', presses: [['button', /^Details of .*gpt-4o-mini/]] },
  { path: '/log', presses: [['combobox', 'Program']], on: 'wide' },
  { path: '/log', presses: [['button', /^Time/]], on: 'wide' },
  {
    path: '/log',
    presses: [
      ['button', 'Filters'],
      ['button', /^Time/],
    ],
    on: 'phone',
  },
  { path: '/user', presses: [['button', 'Add user']] },
  { path: '/redemption', presses: [['button', 'Create codes']] },
  { path: '/prices', presses: [['button', 'Multiply']] },
  { path: '/prices', presses: [['button', 'Edit gpt-4o-mini']] },
  { path: '/price-book', presses: [['button', 'Compare']] },
  { path: '/pricing', presses: [['button', /^gpt-4o-mini/]], on: 'wide' },
  { path: '/playground', presses: [['combobox', 'Model']], on: 'wide' },
  { path: '/detail', presses: [['button', 'Account: root']] },
];
const OPENED =
  '[role="dialog"], [role="menu"], [role="listbox"], .row-more, .card-more, .popover:popover-open';

/** The rules of axe that a width or a theme may break. */
const OF_LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

type Look = readonly [width: number, theme: 'light' | 'dark'];
const LOOKS = {
  wide: [
    [1440, 'light'],
    [1024, 'dark'],
    [768, 'light'],
  ],
  phone: [[390, 'dark']],
} as const satisfies Record<string, readonly Look[]>;

/** Does what the theme button does, because that may be covered by what is open. */
const dress = (page: Page, theme: Look[1]): Promise<void> =>
  page.evaluate((next) => {
    document.documentElement.dataset['theme'] = next;
  }, theme);

/** What is wrong with what is open, in each of the looks. */
const problemsIn = async (page: Page, looks: readonly Look[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const [at, [width, theme]] of looks.entries()) {
    await page.setViewportSize({ width, height: 900 });
    await dress(page, theme);
    // What a part is and how it is named does not depend on the look.
    const rules = at === 0 ? undefined : OF_LOOKS;
    const problems = [
      ...(await widerThanPlace(page)),
      ...(await accessibilityProblems(page, { within: OPENED, ...(rules && { rules }) })),
    ];
    found.push(...problems.map((problem) => `${String(width)} ${theme}: ${problem}`));
  }
  return found;
};

test.each(['wide', 'phone'] as const)(
  'what is opened on a %s screen has nothing that axe finds, nothing small, nothing sideways',
  async (kind) => {
    const { page, problems, close } = await site.open({ isPhone: kind === 'phone' });
    const looks = LOOKS[kind];
    const found: string[] = [];
    for (const { path, presses } of OPENINGS.filter(({ on = kind }) => on === kind)) {
      await page.setViewportSize({ width: looks[0][0], height: 900 });
      await moveTo(page, path);
      await settled(page);
      for (const [role, name] of presses) await page.getByRole(role, { name, exact: true }).first().click();
      await page.locator(OPENED).filter({ visible: true }).first().waitFor();
      const names = presses.map(([, name]) => String(name)).join(' ');
      found.push(...(await problemsIn(page, looks)).map((problem) => `${path} ${names}: ${problem}`));
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').first().waitFor();
    found.push(...(await problemsIn(page, looks)).map((problem) => `palette: ${problem}`));
    expect(found).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  },
);

/** Elements whose state is shown by a background, and that background in forced colours. */
const groundsOf = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(() => {
    const canvas = getComputedStyle(document.body).backgroundColor;
    const marks = [
      '.switch:checked',
      '.checkbox:checked',
      '.side-entry.active',
      '.segment input:checked + span',
      '.palette-entry[aria-selected="true"]',
    ];
    return Object.fromEntries(
      marks.map((mark) => {
        const element = document.querySelector(mark);
        const ground = element === null ? 'missing' : getComputedStyle(element).backgroundColor;
        return [mark, ground === canvas ? 'lost' : ground === 'missing' ? ground : 'seen'];
      }),
    );
  });

test('where the system chooses the colours, what is on, chosen and open is still told from what is not', async () => {
  const { page, close } = await site.open();
  await page.emulateMedia({ forcedColors: 'active' });
  await moveTo(page, '/channel');
  await settled(page);
  await page.getByRole('checkbox', { name: 'Select north' }).check();
  await page.keyboard.press('Control+k');
  await page.locator('.palette-entry').first().waitFor();
  await expect
    .poll(() => groundsOf(page))
    .toEqual({
      '.switch:checked': 'seen',
      '.checkbox:checked': 'seen',
      '.side-entry.active': 'seen',
      '.segment input:checked + span': 'seen',
      '.palette-entry[aria-selected="true"]': 'seen',
    });
  await page.keyboard.press('Escape');
  await moveTo(page, '/channel?edit=new');
  await page.locator('.drawer-body input').first().waitFor();
  const edge = page.locator('.layer-drawer');
  expect(await edge.evaluate((drawer) => getComputedStyle(drawer).borderLeftWidth)).toBe('1px');
  await close();
});

test('at 200 % zoom a drawer fits, and its buttons are in sight', async () => {
  const { page, close } = await site.open();
  await page.setViewportSize({ width: 640, height: 400 });
  await moveTo(page, '/channel?edit=new');
  await page.locator('.drawer-body input').first().waitFor();
  expect(await widerThanPlace(page, 'html, .drawer, .drawer-body')).toEqual([]);
  const save = await page.getByRole('button', { name: 'Create', exact: true }).boundingBox();
  expect((save?.y ?? 400) + (save?.height ?? 0)).toBeLessThanOrEqual(400);
  await close();
});
