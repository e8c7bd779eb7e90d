import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeChannel, makeToken, type Operator, setOption, signIn } from '../support/operator.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** Error rates and times, splits of usage, how long a balance lasts, and live updates of the dashboard. */

const USER = { username: 'alice', password: 'a long enough secret' };

let simulator: RunningSimulator;
let site: ConsoleSite;
let root: Operator;
let page: Page;
let keys: string[];

const chat = async (key: string, model: string, stream = false): Promise<void> => {
  const response = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Write some code' }] }),
  });
  await response.text();
};

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole();
  root = site.operator;
  page = site.page;
  await setOption(root, 'QuotaForNewUser', 5_000_000);
  await setOption(root, 'ModelPrice', { 'gpt-4o': 0.5, 'fault-status-400': 0.5 });
  const models = ['gpt-4o', 'fault-status-400'];
  await makeChannel(root, { name: 'north', baseUrl: simulator.url, models });
  await root.call('/api/user/register', { method: 'POST', body: USER });
  const alice = await signIn(site.url, USER.username, USER.password);
  keys = [];
  for (const name of ['notebook', 'server'])
    keys.push((await makeToken(alice, { name, unlimited_quota: true })).key);
});
afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const number = (on: Page, name: string) =>
  on.locator('.key-number').filter({ has: on.locator('dt', { hasText: new RegExp(`^${name}`) }) });
const valueOf = (on: Page, name: string): Promise<string | null> =>
  number(on, name).locator('.key-value').textContent();
const total = async (on: Page): Promise<number> =>
  Number(await on.locator('[data-total]').getAttribute('data-total'));

test('an unknown number is shown as a dash, not as zero', async () => {
  const answered = page.waitForResponse((response) => response.url().includes('/api/data/key_sums'));
  await page.goto('/detail');
  await answered;
  await number(page, 'Error rate').getByText('0 of 0 calls failed').waitFor();
  for (const name of ['Error rate', 'First token', 'Cache hits'])
    await expect.poll(async () => [name, await valueOf(page, name)]).toEqual([name, '—']);
});

test('errors, times to the first token and cache hits are shown for all calls, and for one user’s calls', async () => {
  await chat(keys[0] ?? '', 'gpt-4o', true);
  await chat(keys[0] ?? '', 'gpt-4o');
  await chat(keys[1] ?? '', 'gpt-4o');
  await chat(keys[1] ?? '', 'fault-status-400');
  await page.goto('/detail');
  await expect.poll(() => valueOf(page, 'Error rate')).toBe('25.0%');
  await number(page, 'Error rate').getByText('1 of 4 calls failed').waitFor();
  await number(page, 'First token').getByText('Of 1 streamed call').waitFor();
  await expect.poll(() => valueOf(page, 'First token')).toMatch(/^[\d.]+ (ms|s)$/);
  await expect.poll(() => valueOf(page, 'Cache hits')).toMatch(/^\d+\.\d%$/);
  await page.goto('/detail?of=me');
  await expect.poll(() => valueOf(page, 'Error rate')).toBe('—');
});

test('the bars are split by model, channel, user or token, and add up to the same', async () => {
  await page.goto('/detail?step=day');
  await expect.poll(() => total(page)).toBe(750_000);
  const legend = page.locator('.dash-chart .stacked-legend');
  for (const [split, names] of [
    ['Channel', ['north']],
    ['User', ['alice']],
    ['Token', ['notebook', 'server']],
  ] as const) {
    await page.getByRole('radio', { name: split, exact: true }).first().check();
    await expect.poll(() => legend.getByRole('button').allTextContents()).toEqual(names);
    await expect.poll(async () => [split, await total(page)]).toEqual([split, 750_000]);
  }
  await expect.poll(() => new URL(page.url()).searchParams.get('split')).toBe('token');
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('the chart can be saved as an image', async () => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as picture' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('tollgate-quota.png');
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.length > 5000]).toEqual([2400, true]);
});

test('the chart can be saved as CSV, with numbers that add up to the shown sum', async () => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('tollgate-quota.csv');
  const [head = [], ...lines] = (await readFile(await download.path(), 'utf8'))
    .replace('\u{feff}', '')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  expect(head.slice(1)).toEqual(['notebook', 'server']);
  const sums = head.slice(1).map((_, at) => lines.reduce((sum, line) => sum + Number(line[at + 1]), 0));
  expect(sums).toEqual([500_000, 250_000]);
  expect(sums.reduce((all, one) => all + one, 0)).toBe(await total(page));
});

test('the legend is operated with the keyboard, and the parts of a bar are listed beside the chart', async () => {
  const name = page.locator('.stacked-legend').getByRole('button', { name: 'server' });
  await name.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => name.getAttribute('aria-pressed')).toBe('false');
  await page.keyboard.press('Space');
  await expect.poll(() => name.getAttribute('aria-pressed')).toBe('true');
  const chart = page.locator('.dash-chart .stacked-plot');
  expect((await chart.boundingBox())?.height).toBeGreaterThan(200);
  await chart.focus();
  await page.keyboard.press('End');
  const told = page.locator('.dash-chart').getByRole('status');
  await expect.poll(() => told.textContent()).toMatch(/notebook.*server.*/);
  // Screen readers skip the content of an image.
  expect(await chart.getByRole('status').count()).toBe(0);
  await page.keyboard.press('Home');
  await expect.poll(() => told.textContent()).not.toMatch(/notebook/);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('a user sees how long the balance lasts, and new calls appear without a reload', async () => {
  const own = await site.open({ ...USER, isPhone: true, theme: 'dark', isOwn: true });
  await own.page.clock.install();
  await own.page.goto('/detail');
  await expect.poll(() => total(own.page)).toBe(750_000);
  await number(own.page, 'Balance')
    .getByText(/^Lasts about \d+ days at this pace$/)
    .waitFor();
  expect(await own.page.getByRole('radio', { name: 'Channel', exact: true }).count()).toBe(0);
  expect(await widerThanPlace(own.page)).toEqual([]);
  expect(await accessibilityProblems(own.page)).toEqual([]);
  const status = z.object({ data_export_interval: z.number() }).parse(await root.call('/api/status'));
  await chat(keys[0] ?? '', 'gpt-4o');
  await own.page.clock.fastForward(status.data_export_interval * 60_000 + 1000);
  await expect.poll(() => total(own.page)).toBe(1_000_000);
  expect(own.problems).toEqual([]);
  await own.close();
});
