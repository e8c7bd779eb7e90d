import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';

/** Somebody at the console in a browser of their own. */
export interface ConsoleVisit {
  readonly page: Page;
  /** What went wrong inside the page: uncaught errors, refused content, React's complaints. */
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

const ON_A_BUSY_MACHINE_MS = 60_000;

/**
 * Somebody signed in, on a file of the site: where they go is the journey's to say. They signed in by a call, since the
 * form has journeys of its own; and they asked for little motion, since every frame of it is painted by the processor.
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
  context.setDefaultTimeout(ON_A_BUSY_MACHINE_MS);
  await context.addInitScript(
    `localStorage.i18nextLng ??= '${language}'; localStorage.theme ??= '${theme}';`,
  );
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // Answers that are errors are also reported by the browser; what they are is the journey's to say.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) problems.push(message.text());
  });
  const answer = await context.request.post('/api/user/login', { data: { username, password } });
  const { data } = signedIn.parse(await answer.json());
  await page.goto('/theme.js');
  await page.evaluate(
    ({ user, over }) => {
      localStorage.setItem('user', user);
      // What leads new accounts has a journey of its own.
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

/** Colours on their way from one to another have a contrast that nobody sees; what moves for ever is not waited for. */
const motionEnded = `Promise.allSettled(
  document.getAnimations()
    .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
    .map((animation) => animation.finished))`;

/**
 * What is too small to be pressed. Where a dialog lies above the page only what is in it can be pressed, and what floats
 * above both. What is found is looked at once more in the middle of the screen: half of a button under a bar that stays
 * while the page scrolls is no small button.
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
 * What axe finds wrong with the page as it is now: `rule: element`, empty when nothing. Also what is pressed and is
 * neither 24 pixels large nor as far from what else is.
 */
export const accessibilityProblems = async (page: Page): Promise<string[]> => {
  // The content security policy refuses scripts of others, so axe comes in through the debugger.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await axe());
  await page.evaluate(motionEnded);
  const options =
    '{ resultTypes: ["violations"], iframes: false, rules: { "target-size": { enabled: true } } }';
  const run = `axe.run(${options}).then((result) => result.violations)`;
  const all = violations.parse(await page.evaluate(run));
  const found = all.filter(({ id }) => id !== TARGET_SIZE);
  // What is small and hidden is in the first list as well: without one there, there is none to look at again.
  if (found.length < all.length) found.push(...violations.parse(await page.evaluate(smallTargets)));
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
};
