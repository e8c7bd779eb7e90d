import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hangUp, listening } from '../../src/server/outbound/testing/local-server.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeChannel, makeToken, setOption, signIn } from '../support/operator.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** The availability page of models, and watched services, in a real browser. */

const MODEL = 'gpt-4o';
const PASSWORD = 'a long enough secret';
const USERS = ['alice', 'bob', 'carol'];

let upstream: Server;
let kuma: Server;
let site: ConsoleSite;

const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
};
const pages: Readonly<Record<string, unknown>> = {
  '/api/status-page/eu': {
    publicGroupList: [{ id: 1, name: 'Relay', monitorList: [{ id: 1, name: 'API, Frankfurt' }] }],
  },
  '/api/status-page/heartbeat/eu': {
    heartbeatList: { '1': [{ status: 1 }] },
    uptimeList: { '1_24': 0.9987 },
  },
};

const portOf = async (server: Server): Promise<number> => {
  await listening(server);
  return (server.address() as AddressInfo).port;
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify(answer)));
  });
  kuma = createServer((request, response) => {
    response.end(JSON.stringify(pages[request.url ?? ''] ?? {}));
  });
  site = await startConsole();
  const { operator, url } = site;
  await setOption(operator, 'ModelRatio', { [MODEL]: 1, 'gpt-4o-mini': 1 });
  await setOption(operator, 'QuotaForNewUser', 5_000_000);
  await setOption(operator, 'availability_setting.least_calls', 5);
  const port = await portOf(upstream);
  const baseUrl = `http://127.0.0.1:${String(port)}`;
  await makeChannel(operator, { name: 'supplier', baseUrl, models: [MODEL, 'gpt-4o-mini'] });
  for (const username of USERS) {
    await operator.call('/api/user/register', { method: 'POST', body: { username, password: PASSWORD } });
    const { key } = await makeToken(await signIn(url, username, PASSWORD), { unlimited_quota: true });
    for (let call = 0; call < 3; call += 1) {
      const reply = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }),
      });
      await reply.text();
      expect(reply.status).toBe(200);
    }
  }
});
afterAll(async () => {
  await site.stop();
  for (const server of [upstream, kuma]) {
    hangUp(server);
  }
});

test('the page and the links to it do not exist until the operator switches it on', async () => {
  const { page, close } = await site.openForStranger();
  await page.goto('/');
  await page.getByRole('link', { name: 'Pricing' }).first().waitFor();
  expect(await page.getByRole('link', { name: 'Availability' }).count()).toBe(0);
  await page.goto('/availability');
  await page.getByText('This site does not show how available its models are', { exact: false }).waitFor();
  await close();
  await setOption(site.operator, 'availability_setting.enabled', true);
});

test('a visitor sees the availability of models by hour and day, moves through it with the keyboard, and can read the rules', async () => {
  const { page, close } = await site.openForStranger();
  await page.goto('/');
  await page.getByRole('link', { name: 'Availability' }).click();
  // Counts are written every ten seconds, and the page is cached for a while.
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: MODEL, exact: true }) });
  await expect
    .poll(
      async () => {
        await page.goto('/availability?span=7d');
        await page.getByRole('heading', { name: 'Availability' }).waitFor();
        return row.getByText('100%', { exact: true }).count();
      },
      { interval: 3000 },
    )
    .toBe(1);
  const bars = row.getByRole('img');
  await expect.poll(() => bars.count()).toBe(7);
  await bars.last().focus();
  await page.keyboard.press('ArrowLeft');
  await expect
    .poll(() => page.evaluate('document.activeElement.ariaLabel'))
    .toMatch(/^\d{4}-\d\d-\d\d UTC: /);
  await page.getByRole('heading', { name: 'Too few calls' }).waitFor();
  await page.getByText('How this is counted').click();
  await page.getByText('Invalid calls', { exact: false }).waitFor();
  expect(await page.content()).not.toMatch(/supplier|alice|bob|carol/);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('radio', { name: '90 days' }).check();
  await page.waitForURL(/span=90d/);
  await expect.poll(() => bars.count()).toBe(90);
  await close();
});

test('it fits on a phone, in Chinese and dark, inside the console', async () => {
  const { page, problems } = await site.open({ language: 'zh', isPhone: true, theme: 'dark' });
  await page.goto('/availability?span=90d');
  await page.getByRole('heading', { name: '可用性', level: 1 }).waitFor();
  await page.getByRole('heading', { name: MODEL, exact: true }).waitFor();
  expect(await widerThanPlace(page)).toEqual([]);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('services that an Uptime Kuma watches are a panel of the dashboard', async () => {
  const url = `http://127.0.0.1:${String(await portOf(kuma))}`;
  await setOption(site.operator, 'console_setting.uptime_kuma_groups', [
    { categoryName: 'Europe', url, slug: 'eu', description: 'Gateways in Frankfurt' },
    { categoryName: 'Asia', url, slug: 'none', description: '' },
  ]);
  const { page } = site.visit;
  await page.goto('/detail');
  const panel = page.getByRole('region', { name: 'Watched services' });
  const monitor = panel.getByRole('listitem').filter({ hasText: 'API, Frankfurt' });
  await monitor.getByText('Up', { exact: true }).waitFor();
  await monitor.getByText('99.9%').waitFor();
  await panel.getByText('Its status page is not responding or has no monitors').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const phone = await site.open({ language: 'zh', isPhone: true, theme: 'dark' });
  await phone.page.goto('/detail');
  await phone.page.getByRole('region', { name: '服务监控' }).getByText('正常', { exact: true }).waitFor();
  expect(await widerThanPlace(phone.page)).toEqual([]);
});
