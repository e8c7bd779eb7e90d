import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { watchRequests } from './console-moves.ts';

/** A user of the console in a separate browser context. */
export interface ConsoleVisit {
  readonly page: Page;
  /** Problems inside the page: uncaught errors, content refused by the security policy, React's warnings. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

export interface VisitOptions {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly language?: 'en' | 'zh';
  readonly theme?: 'light' | 'dark';
  readonly isPhone?: boolean;
}

/**
 * Opens a browser with a user signed in, on a file of the site; the journey chooses the page. Signs in by an API call,
 * because the login form has its own journeys. Asks for reduced motion, because animation frames cost processor time.
 */
export const visitConsole = async (browser: Browser, options: VisitOptions): Promise<ConsoleVisit> => {
  const { url, username, password, language = 'en', theme = 'light', isPhone = false } = options;
  const context = await browser.newContext({
    baseURL: url,
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    hasTouch: isPhone,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await context.addInitScript(
    `localStorage.i18nextLng ??= '${language}'; localStorage.theme ??= '${theme}';`,
  );
  const page = await context.newPage();
  watchRequests(page);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The browser also reports error responses; journeys check those themselves.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) problems.push(message.text());
  });
  const answer = await context.request.post('/api/user/login', { data: { username, password } });
  const { data } = signedIn.parse(await answer.json());
  await page.goto('/theme.js');
  await page.evaluate(
    ({ user, over }) => {
      localStorage.setItem('user', user);
      // The first steps for new accounts have their own journey.
      localStorage.setItem(over, 'true');
    },
    { user: JSON.stringify(data), over: `first-steps-over:${String(data['id'])}` },
  );
  return { page, problems, close: () => context.close() };
};

const signedIn = z.object({ success: z.literal(true), data: z.record(z.string(), z.unknown()) });

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
let axeSource: Promise<string> | undefined;
const axe = (): Promise<string> => (axeSource ??= readFile(axeFile, 'utf8'));
const TARGET_SIZE = 'target-size';
const violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** Waits for transitions, because colours in between have no contrast to check. Endless animations are not waited for. */
const motionEnded = `Promise.allSettled(
  document.getAnimations()
    .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
    .map((animation) => animation.finished))`;

/**
 * Targets that are too small to press. If a dialog is open, only the dialog and what floats above it is checked. Each
 * finding is checked again after scrolling it to the middle of the screen, because a sticky bar may have covered half of it.
 */
const smallTargets = `(async () => {
  const dialogs = [...document.querySelectorAll('[aria-modal="true"], dialog:modal')].filter((one) => one.checkVisibility());
  const top = dialogs.at(-1);
  const floating = [...document.querySelectorAll('.toast, [role="listbox"], [role="menu"]')];
  const options = { resultTypes: ['violations'], iframes: false, runOnly: ['target-size'] };
  const find = async (include) => (await axe.run({ include }, options)).violations.flatMap(({ nodes }) => nodes);
  const found = await find(top === undefined ? [document] : [top, ...floating]);
  const still = [];
  for (const { target } of found) {
    const element = document.querySelector(target[0]);
    element?.scrollIntoView({ block: 'center', behavior: 'instant' });
    if (element) still.push(...(await find([element])));
  }
  return [{ id: 'target-size', nodes: still }];
})()`;

/**
 * axe's violations on the current page, as `rule: element`. Includes targets smaller than 24 pixels that are closer than
 * that to another target.
 * @param within a selector: only what is visible and fits it is looked at, for a fifth of the processor time
 */
export const accessibilityProblems = async (page: Page, within?: string): Promise<string[]> => {
  // The content security policy refuses foreign scripts, so axe is injected through the debugger.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await axe());
  await page.evaluate(motionEnded);
  const options =
    '{ resultTypes: ["violations"], iframes: false, rules: { "target-size": { enabled: true } } }';
  const include =
    within === undefined
      ? '[document]'
      : `[...document.querySelectorAll(${JSON.stringify(within)})].filter((one) => one.checkVisibility())`;
  const run = `axe.run({ include: ${include} }, ${options}).then((result) => result.violations)`;
  const all = violations.parse(await page.evaluate(run));
  const found = all.filter(({ id }) => id !== TARGET_SIZE);
  // The first run also lists hidden small targets; only if it lists any are they checked again.
  if (found.length < all.length) found.push(...violations.parse(await page.evaluate(smallTargets)));
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
};
