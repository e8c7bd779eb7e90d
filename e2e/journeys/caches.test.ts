import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeChannel, makeToken, type Operator, setOption, signIn } from '../support/operator.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** Reads and savings of prompt caches, and sessions bound to a channel until they are released. */

const MODEL = 'gpt-4o-mini';
const USER = { username: 'alice', password: 'a long enough secret' };

let simulator: RunningSimulator;
let site: ConsoleSite;
let alice: Operator;

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole();
  await setOption(site.operator, 'QuotaForNewUser', 5_000_000);
  await setOption(site.operator, 'ModelRatio', { [MODEL]: 50 });
  await setOption(site.operator, 'CacheRatio', { [MODEL]: 0.1 });
  await makeChannel(site.operator, { name: 'north', baseUrl: simulator.url, models: [MODEL] });
  await site.operator.call('/api/user/register', { method: 'POST', body: USER });
  alice = await signIn(site.url, USER.username, USER.password);
  const { key } = await makeToken(alice, { name: 'notebook', unlimited_quota: true });
  const long = 'Read the whole file before you change it. '.repeat(200);
  for (const session of ['one', 'two']) {
    const response = await fetch(`${site.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-claude-code-session-id': session,
      },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: long }] }),
    });
    await response.text();
    expect(response.status).toBe(200);
  }
});
afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

test('an admin sees the hit rate and the savings by model, channel and session', async () => {
  const { page, problems } = site.visit;
  await page.goto('/detail');
  const card = page.getByRole('region', { name: 'Prompt caches' });
  await card.getByText(/^\d+\.\d% of prompt tokens read from caches · \$\d/).waitFor();
  await card.getByRole('cell', { name: MODEL, exact: true }).waitFor();
  await card.getByRole('radio', { name: 'Channel' }).check();
  await card.getByRole('cell', { name: 'north' }).waitFor();
  await card.getByRole('radio', { name: 'Session' }).check();
  await card.getByRole('columnheader', { name: 'Channels' }).waitFor();
  // Two sessions and the header row.
  await expect.poll(() => card.getByRole('row').count()).toBe(3);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('a user sees only their own sessions and no channels, on a phone and in Chinese', async () => {
  const own = await site.open({ ...USER, language: 'zh', isPhone: true, theme: 'dark' });
  await own.page.goto('/detail');
  const card = own.page.getByRole('region', { name: '提示词缓存' });
  await card.getByText(/的输入 Token 来自缓存/).waitFor();
  expect(await card.getByRole('radio', { name: '渠道' }).count()).toBe(0);
  await card.getByRole('radio', { name: '会话' }).check();
  // Rows are stacked there.
  const sessions = card.getByRole('list', { name: '会话' }).getByRole('listitem');
  await expect.poll(() => sessions.count()).toBe(2);
  expect(await card.textContent()).not.toContain('north');
  expect(await accessibilityProblems(own.page)).toEqual([]);
  expect(own.problems).toEqual([]);
  await own.close();
});

test('a log row shows how its session was identified, and sessions of a channel are released in its details', async () => {
  const { page } = site.visit;
  await page.goto('/channel');
  const row = page.locator('tr[data-row]', { hasText: 'north' });
  await row.getByRole('button', { name: /details/i }).click();
  await page.getByText('2 stay here, where their prompts are cached').waitFor();
  await page.getByRole('button', { name: 'Release them' }).click();
  await page.getByText('0 stay here').waitFor();
  await page.goto('/log');
  await page
    .locator('tr[data-row]')
    .first()
    .getByRole('button', { name: /details/i })
    .click();
  const told = page.getByText('The first call of its session (by x-claude-code-session-id)');
  await told.waitFor();
  expect(await told.count()).toBe(1);
});
