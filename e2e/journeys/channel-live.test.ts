import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeChannel, makeToken, setOption } from '../support/operator.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** The live board in a real browser. */

const MODEL = 'gpt-4o-mini';

let simulator: RunningSimulator;
let site: ConsoleSite;
let key: string;

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole();
  const { operator } = site;
  await setOption(operator, 'ModelRatio', { [MODEL]: 1 });
  await setOption(operator, 'RetryTimes', 1);
  const keys = ['sk-simulated-key-one-aaaa', 'sk-simulated-key-two-bbbb'];
  await makeChannel(operator, { name: 'north', baseUrl: simulator.url, models: [MODEL], keys });
  await makeChannel(operator, { name: 'dead', baseUrl: 'http://127.0.0.1:9', models: [MODEL], priority: 10 });
  ({ key } = await makeToken(operator, { name: 'notebook', unlimited_quota: true }));
});
afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const callThrough = async (): Promise<void> => {
  const response = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: MODEL,
      stream: true,
      messages: [{ role: 'user', content: 'How is the weather?' }],
    }),
  });
  await response.text();
  expect(response.status).toBe(200);
};

const card = (page: Page, name: string) => page.locator('.live-card').filter({ hasText: name });

test('the live board follows the calls, and shows channels with problems first', async () => {
  const { page, problems } = site.visit;
  await page.goto('/live');
  await page.getByText('No channel was called in the last five minutes.').waitFor();
  for (let at = 0; at < 6; at += 1) await callThrough();
  await card(page, 'north').getByText('Working').waitFor();
  await card(page, 'north')
    .getByRole('img', { name: 'north: calls, errors and first tokens of the last 5 minutes' })
    .waitFor();
  await expect.poll(() => page.locator('.live-card').first().getAttribute('data-channel')).toBe('2');
  await card(page, 'north').getByRole('button', { name: 'of 2 keys used' }).click();
  await card(page, 'north').getByRole('cell', { name: '…bbbb' }).waitFor();
  await page.getByText(`default → ${MODEL} → north`).waitFor({ state: 'attached' });
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('it sends no requests while the page is hidden, and one at once when it is visible again', async () => {
  const { page } = await site.open({ isOwn: true });
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/channel/live')) asked += 1;
  });
  const turn = (state: 'hidden' | 'visible') =>
    page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  await page.clock.install();
  await page.goto('/live');
  await card(page, 'north').waitFor();
  await page.clock.runFor(3000);
  await expect.poll(() => asked).toBeGreaterThan(1);
  await turn('hidden');
  await page.clock.runFor(3000);
  const before = asked;
  await page.clock.runFor(60_000);
  expect(asked).toBe(before);
  await turn('visible');
  await expect.poll(() => asked).toBeGreaterThan(before);
});

test('it fits on a phone, in Chinese and dark', async () => {
  const { page } = await site.open({ language: 'zh', isPhone: true, theme: 'dark' });
  await page.goto('/live');
  await card(page, 'north').getByText('每秒调用').waitFor();
  expect(await widerThanPlace(page)).toEqual([]);
  expect(await accessibilityProblems(page)).toEqual([]);
});
