import type { Locator } from 'playwright-core';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, listening } from '../../src/server/outbound/testing/local-server.ts';
import { moveTo, settled } from '../support/console-moves.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { makeChannel, makeToken, type Operator, setOption, signIn } from '../support/operator.ts';

/** Stored texts that contain markup and code: none of it works, on any page, for any reader. */

/** Code that runs sets `window.acted`; content that loads requests `evil.example`. */
const LONG =
  '"><img src=https://evil.example/i onerror=acted.push(1)><svg onload=acted.push(2)></svg><script>acted.push(3)</script>' +
  '<iframe srcdoc="<script>parent.acted.push(4)</script>"></iframe>[x](javascript:acted.push(5))${acted.push(6)}{{acted.push(7)}}';
const MIDDLE = "'><img src=x onerror=acted.push(8)>";
/** For display names and usernames: at most 20 and 12 characters. */
const SHORT = '<a onclick=a()>'.slice(0, 20);
const SHORTEST = '<b>&lt;"\'>';
const OWN_PAGES = [
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
] as const;
const PAGES = [
  ...OWN_PAGES,
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
  '/login',
  '/oauth/github?error=x&error_description=' + encodeURIComponent(LONG),
  '/user/reset?email=' + encodeURIComponent(LONG) + '&token=x',
] as const;
/** Elements that no page contains itself. */
const FORBIDDEN =
  'iframe[srcdoc], [onerror], [onload], [onclick], a[href^="javascript:"], script:not([src]):not([type])';
const PASSWORD = 'a long enough password';
const MODEL = 'm<img src=x onerror=acted.push(9)>';

let site: ConsoleSite;
let upstream: Server;

/** An upstream whose error messages are markup. */
const startHostile = async (): Promise<string> => {
  upstream = createServer((request, response) => {
    request.resume();
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: LONG, type: MIDDLE, code: MIDDLE } }));
  });
  await listening(upstream);
  return addressOf(upstream);
};

const storeTexts = async (operator: Operator): Promise<void> => {
  await setOption(operator, 'ModelRatio', { [MODEL]: 1 });
  await setOption(operator, 'SystemName', LONG.slice(0, 100));
  for (const key of ['Notice', 'HomePageContent', 'About', 'Footer']) await setOption(operator, key, LONG);
  await setOption(operator, 'UserUsableGroups', { default: MIDDLE });
  await setOption(operator, 'console_setting.announcements', [{ content: LONG, date: '2026-01-01' }]);
  await setOption(operator, 'console_setting.faq', [{ question: MIDDLE, answer: LONG }]);
};

const storeAs = async (somebody: Operator): Promise<string> => {
  await somebody.call('/api/user/self', { method: 'PUT', body: { display_name: SHORT } });
  const { key } = await makeToken(somebody, { name: MIDDLE, tag: MIDDLE, unlimited_quota: true });
  return key;
};

beforeAll(async () => {
  const [hostile, started] = await Promise.all([startHostile(), startConsole()]);
  site = started;
  const { operator, url } = site;
  await makeChannel(operator, { name: LONG.slice(0, 100), baseUrl: hostile, models: [MODEL] });
  await operator.call('/api/channel', {
    method: 'PUT',
    body: { id: 1, tag: MIDDLE, remark: LONG.slice(0, 500) },
  });
  await storeTexts(operator);
  await operator.call('/api/redemption', { method: 'POST', body: { name: SHORT, quota: 5, count: 1 } });
  await operator.call('/api/price_book/draft', {
    method: 'POST',
    body: { reason: LONG.slice(0, 500), entries: [{ option: 'ModelRatio', key: MODEL, value: 2 }] },
  });
  for (const username of [SHORTEST, 'plain'])
    await operator.call('/api/user', { method: 'POST', body: { username, password: PASSWORD } });
  await storeAs(operator);
  for (const username of [SHORTEST, 'plain']) {
    const key = await storeAs(await signIn(url, username, PASSWORD));
    const call = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'user-agent': LONG,
        'x-title': MIDDLE,
      },
      body: JSON.stringify({ model: MODEL, user: LONG, messages: [{ role: 'user', content: LONG }] }),
    };
    await (await fetch(`${url}/v1/chat/completions`, call)).text();
  }
});
afterAll(async () => {
  await site.stop();
  upstream.close();
});

test.each([
  ['the super admin', {}, PAGES],
  ['a user', { username: 'plain', password: PASSWORD }, OWN_PAGES],
  // Its name is shown on every page, and in full here.
  ['one whose own name is markup', { username: SHORTEST, password: PASSWORD }, ['/detail', '/setting']],
] as const)('%s sees texts', async (_, who, pages) => {
  const { page, problems, close } = await site.open({ ...who, isOwn: true });
  const asked: string[] = [];
  await page.context().addInitScript('window.acted = []; window.a = () => acted.push(0);');
  await page.context().route(
    ({ hostname }) => hostname === 'evil.example',
    (route) => {
      asked.push(`${route.request().resourceType()} of ${route.request().frame().page().url()}`);
      return route.abort();
    },
  );
  const acted: string[] = [];
  page.on('dialog', (dialog) => {
    acted.push(dialog.message());
    void dialog.dismiss();
  });
  for (const path of pages) {
    await moveTo(page, path);
    await settled(page);
    // Opens every row that has details.
    for (const row of await page.getByRole('button', { name: /^Details of/ }).all()) await row.click();
    acted.push(...(await page.evaluate<unknown[]>('window.acted')).map((what) => `${path}: ${String(what)}`));
    const found = await page.evaluate<string[]>(
      `[...document.querySelectorAll('${FORBIDDEN}')]
        .map((one) => one.outerHTML.slice(0, 200))`,
    );
    acted.push(...found.map((what) => `${path}: ${what}`));
  }
  expect(acted).toEqual([]);
  // Images in the operator's content are allowed.
  expect(asked.filter((what) => !what.startsWith('image of'))).toEqual([]);
  // The browser reports this when the sanitizer parses the text, in a document without scripts.
  const isOfCleaning = (problem: string) => problem.startsWith('Executing inline event handler violates');
  expect(problems.filter((problem) => !problem.includes('ERR_FAILED') && !isOfCleaning(problem))).toEqual([]);
  await close();
});

test('a drawer keeps its width, however long a name in it', async () => {
  const { page, close } = await site.open();
  await page.setViewportSize({ width: 768, height: 900 });
  const models = ['x'.repeat(180), '超长模型名称'.repeat(13)];
  await makeChannel(site.operator, { name: 'y'.repeat(100), baseUrl: 'https://upstream.example', models });
  for (const path of ['/channel?edit=2', '/token?edit=1', '/redemption?edit=1']) {
    await page.goto(path);
    await page.locator('.drawer-body .field').first().waitFor();
    await expect
      .poll(() =>
        page.locator('.drawer-body').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      )
      .toBe(0);
  }
  // Neither the details of a card nor the buttons of its confirmation are wider than the screen.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/channel');
  const rightOf = async (button: Locator): Promise<number> => {
    await button.waitFor();
    const { x = 0, width = 0 } = (await button.boundingBox()) ?? {};
    return x + width;
  };
  await page.getByRole('button', { name: /^Details of y/ }).click();
  expect(await rightOf(page.getByRole('button', { name: 'x'.repeat(20) }).first())).toBeLessThan(390);
  await page.getByRole('button', { name: /^More actions for y/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: /^Delete channel/ });
  expect(await rightOf(question.getByRole('button', { name: 'Cancel' }))).toBeLessThan(390);
  await close();
});
