import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeChannel, makeToken, type Operator, setOption, signIn } from '../support/operator.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** The dashboard's list of problems for admins, who can fix them from there. */

const USER = { username: 'alice', password: 'a long enough secret' };

let simulator: RunningSimulator;
let site: ConsoleSite;
let root: Operator;
let page: Page;

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole();
  root = site.operator;
  page = site.page;
});
afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const chat = async (key: string, model: string): Promise<void> => {
  const response = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  });
  await response.text();
};
const card = () => page.getByRole('region', { name: 'Needs attention' });

test('without problems there is no card', async () => {
  const answered = page.waitForResponse((response) => response.url().includes('/api/data/attention'));
  await page.goto('/detail');
  await answered;
  await page.getByText('No usage in this period').first().waitFor();
  expect(await card().count()).toBe(0);
});

test('a disabled channel is tested and enabled from the card; prices and users are one click away', async () => {
  await setOption(root, 'QuotaForNewUser', 250_000);
  await setOption(root, 'ModelPrice', { 'gpt-4o': 0.5, 'fault-status-401': 0.5 });
  await setOption(root, 'AutomaticDisableChannelEnabled', true);
  await root.call('/api/user/register', { method: 'POST', body: USER });
  await makeChannel(root, { name: 'serving', baseUrl: simulator.url, models: ['gpt-4o', 'unheard-of'] });
  const own = { key: 'sk-of-its-own', models: ['fault-status-401'] };
  await makeChannel(root, { name: 'refused', baseUrl: simulator.url, ...own });
  const { key } = await makeToken(await signIn(site.url, USER.username, USER.password));
  await chat((await makeToken(root)).key, 'fault-status-401');
  await chat(key, 'gpt-4o');
  await expect
    .poll(async () => {
      await page.goto('/detail');
      await card().waitFor();
      return card().getByRole('heading', { level: 3 }).allTextContents();
    })
    .toEqual([
      expect.stringContaining('1 channel disabled automatically'),
      expect.stringContaining('1 model without a price'),
      expect.stringContaining('1 user out of quota'),
    ]);
  expect(await accessibilityProblems(page)).toEqual([]);
  await card().getByRole('button', { name: 'Test refused' }).click();
  await card().getByRole('status').filter({ hasText: '401' }).waitFor();
  expect(await card().getByRole('button', { name: 'Enable refused' }).count()).toBe(0);
  await card().getByRole('link', { name: 'unheard-of' }).click();
  await page.waitForURL(/\/prices\?.*origin=unset.*unheard-of/);
  await page.goBack();
  await card().getByRole('link', { name: 'alice' }).click();
  await page.waitForURL(/\/user\?edit=\d+/);
  await page.goBack();
  const channel = card().getByRole('link', { name: 'refused' });
  const id = new URL((await channel.getAttribute('href')) ?? '', site.url).searchParams.get('edit');
  await root.call('/api/channel', { method: 'PUT', body: { id: Number(id), models: 'gpt-4o' } });
  await card().getByRole('button', { name: 'Test refused' }).click();
  await card()
    .getByText(/^Answered in /)
    .waitFor();
  await card().getByRole('button', { name: 'Enable refused' }).click();
  await channel.waitFor({ state: 'detached' });
  await expect.poll(() => card().getByRole('heading', { level: 3 }).count()).toBe(2);
});

test('a refused key is listed with its channel, and disappears once a test succeeds', async () => {
  // More than one call goes past, so that the channel stays enabled.
  const keys = Array.from({ length: 120 }, (_, at) => `sk-simulated-key-${String(1000 + at)}`);
  await setOption(root, 'ModelPrice', { 'gpt-4o': 0.5, 'fault-status-401': 0.5 });
  await makeChannel(root, { name: 'pool', baseUrl: simulator.url, models: ['fault-status-401'], keys });
  const { key } = await makeToken(root, { name: 'for-keys', unlimited_quota: true });
  await chat(key, 'fault-status-401');
  const row = card().getByRole('listitem').filter({ hasText: 'pool · …' });
  await expect
    .poll(async () => {
      await page.goto('/detail');
      await card().waitFor();
      return row.count();
    })
    .toBeGreaterThan(0);
  await row.first().getByText('Rejected').waitFor();
  expect(await page.content()).not.toContain('sk-simulated');
  expect(await accessibilityProblems(page)).toEqual([]);
  // Only the first few of many are listed.
  const counted = async () =>
    Number(
      /^\d+/.exec(
        await card()
          .getByRole('heading', { name: /keys? rejected/ })
          .innerText(),
      )?.[0],
    );
  const before = await counted();
  const pool = row.first().getByRole('link');
  const id = new URL((await pool.getAttribute('href')) ?? '', site.url).searchParams.get('keys');
  await pool.click();
  await page.getByRole('dialog', { name: /^Keys/ }).getByRole('table').waitFor();
  await page.goBack();
  await card().waitFor();
  await root.call('/api/channel', { method: 'PUT', body: { id: Number(id), models: 'gpt-4o' } });
  await row
    .first()
    .getByRole('button', { name: /^Test pool/ })
    .click();
  await row
    .first()
    .getByText(/^Answered in /)
    .waitFor();
  await page.goto('/detail');
  await expect.poll(counted).toBe(before - 1);
});

test('in Chinese on a phone the card lists each kind of problem, and nothing needs horizontal scrolling', async () => {
  const { page: phone, problems } = await site.open({ language: 'zh', isPhone: true, theme: 'dark' });
  await phone.goto('/detail');
  const region = phone.getByRole('region', { name: '待处理' });
  await region.getByRole('heading', { name: /个密钥失效或额度用尽/ }).waitFor();
  await expect
    .poll(() => region.getByRole('heading', { level: 3 }).allTextContents())
    .toEqual([
      expect.stringMatching(/^\d+ 个密钥失效或额度用尽/),
      expect.stringMatching(/^1 个模型未设置价格/),
      expect.stringMatching(/^1 个用户额度已用完/),
    ]);
  const row = region.getByRole('listitem').filter({ hasText: 'pool · …' }).first();
  await row.getByText('已失效').waitFor();
  expect(await region.innerText()).not.toMatch(/rejected|attention\./i);
  const button = row.getByRole('button', { name: /^测试 pool/ });
  await button.click();
  await row
    .getByText(/内响应|401/)
    .first()
    .waitFor();
  expect(await widerThanPlace(phone)).toEqual([]);
  const { x = 0, width = 0 } = (await button.boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(390);
  expect(await accessibilityProblems(phone)).toEqual([]);
  expect(problems).toEqual([]);
});

test('a change of prices that was due and is not published leads to its draft', async () => {
  const entries = [{ option: 'ModelPrice', key: 'gpt-4o', value: 0.7 }];
  const body = { reason: 'for the new year', entries };
  const { id } = (await root.call('/api/price_book/draft', { method: 'POST', body })) as { id: number };
  const { items } = (await root.call('/api/price_book')) as { items: { version: number }[] };
  const at = Math.ceil(Date.now() / 1000) + 2;
  await root.call(`/api/price_book/draft/${String(id)}/publish`, {
    method: 'POST',
    body: { base: items[0]?.version, reason: body.reason, at },
  });
  await setOption(root, 'ModelPrice', { 'gpt-4o': 0.6, 'fault-status-401': 0.5 });
  const row = card().getByRole('listitem').filter({ hasText: 'Prices changed meanwhile' });
  await expect
    .poll(
      async () => {
        await page.goto('/detail');
        return row.waitFor({ timeout: 2000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  expect(await accessibilityProblems(page)).toEqual([]);
  await row.getByRole('link', { name: 'for the new year' }).click();
  const dialog = page.getByRole('dialog', { name: /for the new year/ });
  await dialog.getByText('When this was due, some of its prices had been changed').waitFor();
});
