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

/** Opens the console and signs in through its form. */
export const visitConsole = async (browser: Browser, options: VisitOptions): Promise<ConsoleVisit> => {
  const { url, username, password, language = 'en', theme = 'light', isPhone = false } = options;
  const context = await browser.newContext({
    baseURL: url,
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    hasTouch: isPhone,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
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
  await page.goto('/login');
  await page.locator('input[name=username]').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL((address) => address.pathname !== '/login');
  return { page, problems, close: () => context.close() };
};

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** What axe finds wrong with the page as it is now: `rule: element`, empty when nothing. */
export const accessibilityProblems = async (page: Page): Promise<string[]> => {
  // The content security policy refuses scripts of others, so axe comes in through the debugger.
  await page.evaluate(await readFile(axeSource, 'utf8'));
  const run = 'axe.run({ resultTypes: ["violations"], iframes: false }).then((result) => result.violations)';
  const found = violations.parse(await page.evaluate(run));
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
};
