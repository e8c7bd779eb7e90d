import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import { watchRequests } from './console-moves.ts';
import { openWindow } from './windows.ts';

/** A user of the console in a separate browser context. */
export interface ConsoleVisit {
  readonly page: Page;
  /** Problems inside the page: uncaught errors, content refused by the security policy, React's warnings. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

export interface LookOptions {
  readonly url: string;
  readonly language?: 'en' | 'zh';
  readonly theme?: 'light' | 'dark';
  readonly isPhone?: boolean;
  /** Default: true. See `WindowOptions`. */
  readonly isOwn?: boolean;
}

export interface VisitOptions extends LookOptions {
  readonly username: string;
  readonly password: string;
}

/**
 * Opens a browser with a user signed in, on an empty page; the journey chooses the page. Signs in by an API call, because
 * the login form has its own journeys.
 */
export const visitConsole = async (browser: Browser, options: VisitOptions): Promise<ConsoleVisit> => {
  const { username, password } = options;
  return visitAs(browser, options, async (context) => {
    const answer = await context.request.post('/api/user/login', { data: { username, password } });
    const { data } = signedIn.parse(await answer.json());
    // The first steps for new accounts have their own journey.
    return { user: JSON.stringify(data), [`first-steps-over:${String(data['id'])}`]: 'true' };
  });
};

/** Opens a browser with nobody signed in, on an empty page. */
export const visitAsStranger = (browser: Browser, look: LookOptions): Promise<ConsoleVisit> =>
  visitAs(browser, look, async () => ({}));

/** @param signIn makes the session, and returns what the console stores of it */
const visitAs = async (
  browser: Browser,
  look: LookOptions,
  signIn: (context: BrowserContext) => Promise<Readonly<Record<string, string>>>,
): Promise<ConsoleVisit> => {
  const { url, language = 'en', theme = 'light', isPhone = false, isOwn = true } = look;
  const { context, page, store, close } = await openWindow(browser, { url, isPhone, isOwn });
  await store({ i18nextLng: language, theme, ...(await signIn(context)) });
  watchRequests(page);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The browser also reports error responses; journeys check those themselves.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) problems.push(message.text());
  });
  return { page, problems, close };
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
 * What is not looked at: the frame around the page, the same everywhere, and everything behind an open dialog, where nobody
 * gets to. `access.test.ts` looks at whole pages. Half of what axe takes with a dialog open.
 */
const aside = `(() => {
  const top = [...document.querySelectorAll('[aria-modal="true"], dialog:modal')].filter((one) => one.checkVisibility()).at(-1);
  const parts = [...document.querySelectorAll(top === undefined ? '.side, .top' : '.side, .top, main')];
  return parts.filter((part) => top === undefined || !(part.contains(top) || top.contains(part)));
})()`;

interface AxeOptions {
  /** A selector: only what is visible and fits it is looked at. `html` is the whole page. */
  readonly within?: string;
  /** Only these of axe's rules. */
  readonly rules?: readonly string[];
}

/**
 * axe's violations on the current page, as `rule: element`. Includes targets smaller than 24 pixels that are closer than
 * that to another target.
 */
export const accessibilityProblems = async (page: Page, look: AxeOptions = {}): Promise<string[]> => {
  const { within, rules } = look;
  // The content security policy refuses foreign scripts, so axe is injected through the debugger.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await axe());
  await page.evaluate(motionEnded);
  const options = JSON.stringify({
    resultTypes: ['violations'],
    iframes: false,
    ...(rules === undefined ? { rules: { [TARGET_SIZE]: { enabled: true } } } : { runOnly: rules }),
  });
  const part =
    within === undefined
      ? `{ include: [document], exclude: ${aside} }`
      : `{ include: [...document.querySelectorAll(${JSON.stringify(within)})].filter((one) => one.checkVisibility()) }`;
  const run = `axe.run(${part}, ${options}).then((result) => result.violations)`;
  const all = violations.parse(await page.evaluate(run));
  const found = all.filter(({ id }) => id !== TARGET_SIZE);
  // The first run also lists hidden small targets; only if it lists any are they checked again.
  if (found.length < all.length) found.push(...violations.parse(await page.evaluate(smallTargets)));
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
};
