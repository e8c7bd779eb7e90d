import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeToken, type Operator, rootPassword, setOption, signIn } from '../support/operator.ts';
import { scrolledSideways } from '../support/sideways.ts';

/** The usage logs in a real browser: successful, retried and failed calls, for an admin and a user. */

const PLAIN = 'gpt-4o-mini';
const RETRIED = 'tried-twice';
const FAILING = 'fails-always';
const USER = { username: 'alice', password: 'a long enough secret' };

let simulator: RunningSimulator;
let site: ConsoleSite;
let page: Page;

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole();
  const root = site.operator;
  page = site.page;
  await setOption(root, 'RetryTimes', 2);
  await setOption(root, 'QuotaForNewUser', 1_000_000);
  await setOption(root, 'ModelRatio', { [PLAIN]: 0.075, [RETRIED]: 1.25, [FAILING]: 1 });
  await setOption(root, 'CompletionRatio', { [PLAIN]: 4, [RETRIED]: 3 });
  await setOption(root, 'GroupRatio', { default: 1.5 });
  await makeChannels(root);
  await root.call('/api/user/register', { method: 'POST', body: USER });
  await makeCalls(await signIn(site.url, USER.username, USER.password));
});

afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const makeChannels = async (root: Operator): Promise<void> => {
  const make = (
    name: string,
    priority: number,
    mapping: Readonly<Record<string, string>>,
    group = 'default',
  ) =>
    root.call('/api/channel', {
      method: 'POST',
      body: {
        type: 1,
        name,
        key: 'sk-simulated',
        base_url: simulator.url,
        group,
        priority,
        weight: 1,
        models: Object.keys(mapping).join(','),
        model_mapping: JSON.stringify(mapping),
      },
    });
  await make('flaky', 10, { [RETRIED]: 'fault-status-500', [FAILING]: 'fault-status-500' });
  await make('solid', 5, { [RETRIED]: 'gpt-4o', [PLAIN]: PLAIN });
  await make('spare', 1, { [RETRIED]: 'gpt-4o' });
  await make('for vip', 20, { [RETRIED]: 'gpt-4o' }, 'vip');
};

const makeCalls = async (user: Operator): Promise<void> => {
  const { key } = await makeToken(user, { name: 'notebook', unlimited_quota: true });
  for (const [model, path, more] of [
    [PLAIN, '/v1/messages', { stream: true, max_tokens: 500 }],
    [RETRIED, '/v1/chat/completions', {}],
    [FAILING, '/v1/chat/completions', {}],
  ] as const) {
    const response = await fetch(`${site.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, ...more, messages: [{ role: 'user', content: 'Write some code' }] }),
    });
    await response.text();
    expect(response.ok).toBe(model !== FAILING);
  }
};

beforeEach(async () => {
  await page.goto('/log');
  await row(PLAIN).waitFor();
});

const row = (model: string, on: Page = page): Locator =>
  on.locator('tr[data-row]').filter({ hasText: model });
const unfold = (model: string, on: Page = page): Promise<void> => row(model, on).locator('.row-fold').click();
const texts = (places: Locator): Promise<string[]> => places.allTextContents();

test('the details derive the charge from the tokens, exact to the unit', async () => {
  await unfold(RETRIED);
  const work = page.getByRole('table', { name: 'Price breakdown' });
  await work.waitFor();
  const cells = await work
    .locator('tbody tr')
    .evaluateAll((lines) =>
      lines.map((line) => [...line.querySelectorAll('td')].map((cell) => cell.textContent)),
    );
  expect(cells.map(([part]) => part)).toEqual(['Input', 'Output']);
  expect(cells.map((line) => line[2])).toEqual(['1.25 × 1.5 = 1.875', '1.25 × 3 × 1.5 = 5.625']);
  const numberIn = (text = ''): number => Number(text.replaceAll(',', ''));
  // Compared in whole thousandths: 1.875 and 5.625 have three digits.
  const parts = cells.map(
    ([, count, each]) => numberIn(count) * Math.round(Number(each?.split(' = ')[1]) * 1000),
  );
  expect(cells.map((line) => Math.round(numberIn(line[3]) * 1000))).toEqual(parts);
  const sum = parts.reduce((all, part) => all + part, 0);
  expect(await work.locator('[data-price-sum]').getAttribute('data-price-sum')).toBe(String(sum / 1000));
  const charged = Number(await work.locator('[data-price-charged]').getAttribute('data-price-charged'));
  expect(charged).toBe(Math.floor((sum + 500) / 1000));
  const cost = await row(RETRIED)
    .locator('td.table-end')
    .last()
    .locator('[data-tip]')
    .getAttribute('data-tip');
  expect(cost).toMatch(new RegExp(`^${charged.toLocaleString('en-US')} units`));
});

test('the details show the format of the caller and of the upstream', async () => {
  const format = page.locator('.log-facts > div').filter({ hasText: 'Format' }).locator('dd');
  await unfold(PLAIN);
  await expect.poll(() => texts(format)).toEqual(['Anthropic Messages → OpenAI Chat Completions']);
  await unfold(PLAIN);
  await unfold(RETRIED);
  await expect.poll(() => texts(format)).toEqual(['OpenAI Chat Completionspassed through unchanged']);
});

test('an admin sees every attempt, and why each other channel was not chosen', async () => {
  await expect.poll(() => row(RETRIED).locator('.log-chain').textContent()).toBe('1->2');
  await unfold(RETRIED);
  await page.locator('.attempt').filter({ hasText: 'flaky' }).waitFor();
  const tries = page.locator('.attempt');
  await expect.poll(() => texts(tries.locator('.attempt-channel'))).toEqual(['flaky #1', 'solid #2']);
  await expect.poll(() => texts(tries.locator('.number[class*=tone-]'))).toEqual(['500', '200']);
  await expect.poll(() => texts(tries.locator('.attempt-error'))).toEqual(['The server had an error']);
  expect((await texts(page.locator('.left-out li'))).toSorted()).toEqual([
    'flaky #1tried',
    'for vip #4other group',
    'spare #3lower priority',
  ]);
  const lines = await texts(page.locator('.waterfall-title'));
  // On a busy machine the second one is chosen a millisecond after the first has failed.
  const stages = lines.filter((name, at) => name !== 'Choose' || at === lines.indexOf(name));
  expect(stages).toEqual(['Read', 'Hold', 'Choose', 'flaky #1', 'solid #2', 'Answer', 'Settle']);
  await expect
    .poll(() => texts(page.locator('.waterfall-pieces')))
    .toEqual([
      expect.stringMatching(/^Connect [\d.]+ m?s · First byte [\d.]+ m?s · No answer [\d.]+ m?s$/),
      expect.stringMatching(/^Connect [\d.]+ m?s · First byte [\d.]+ m?s · First token [\d.]+ m?s$/),
    ]);
});

test('a failed call shows its error, costs nothing, and is found by its type', async () => {
  await page.getByRole('combobox', { name: 'All types' }).click();
  await page.getByRole('option', { name: 'Error' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('option', { name: 'Error' }).click();
  await row(PLAIN).waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).searchParams.get('type')).toBe('5');
  await unfold(FAILING);
  await expect.poll(() => page.locator('.log-detail [role=alert]').textContent()).toContain('500 · ');
  await expect.poll(() => row(FAILING).locator('td.table-end').last().textContent()).toBe('—');
});

test('the channels show how the calls of the last day ended', async () => {
  await page.goto('/channel');
  const day = (name: string) =>
    page.locator('tr[data-row]').filter({ hasText: name }).locator('.health-strip');
  await expect
    .poll(() => day('solid').getAttribute('aria-label'))
    .toBe('Last 24 hours: 2 answered, 0 failed');
  await expect
    .poll(() => day('flaky').getAttribute('aria-label'))
    .toBe('Last 24 hours: 0 answered, 1 failed');
  await expect.poll(() => day('spare').getAttribute('aria-label')).toBe('No calls in the last 24 hours');
  await expect.poll(() => day('flaky').locator('.health-bad').count()).toBe(1);
});

test('filters are in the address, stay through a reload, and Back takes them away', async () => {
  await page.getByRole('textbox', { name: 'Model name' }).fill(RETRIED);
  await page.keyboard.press('Enter');
  await row(PLAIN).waitFor({ state: 'detached' });
  await page.reload();
  await row(RETRIED).waitFor();
  await expect.poll(() => page.locator('tr[data-row]').count()).toBe(1);
  await page.goBack();
  await row(PLAIN).waitFor();
  await page.goto('/log?username=nobody');
  await page.getByText('Nothing matches these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await row(PLAIN).waitFor();
});

test('the totals are those of the filters, and can be hidden', async () => {
  const quota = page.locator('.log-total-figure').first();
  await expect.poll(() => quota.textContent()).not.toBe('—');
  const all = await quota.textContent();
  await page.goto(`/log?model_name=${PLAIN}`);
  await expect
    .poll(() => quota.textContent())
    .toBe(await row(PLAIN).locator('td.table-end').last().textContent());
  expect(await quota.textContent()).not.toBe(all);
  await page.getByRole('button', { name: 'Hide totals' }).click();
  await expect.poll(() => texts(page.locator('.log-total-figure'))).toEqual(['•••', '•••', '•••']);
  await page.getByRole('button', { name: 'Show totals' }).click();
  await expect.poll(() => quota.textContent()).toMatch(/^\$/);
});

test('clicking a user shows the account, and clicking a token copies its name', async () => {
  await row(PLAIN).getByRole('button', { name: 'alice' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Balance').waitFor();
  await expect.poll(() => dialog.textContent()).toContain('alice');
  await page.keyboard.press('Escape');
  await row(PLAIN).getByRole('button', { name: 'Copy token name notebook' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('notebook');
});

test('a user sees only their own calls with prices, and no channels', async () => {
  const user = await site.open(USER);
  await user.page.goto('/log');
  await row(RETRIED, user.page).waitFor();
  expect(await texts(user.page.locator('th'))).not.toContain('Channel / retries');
  await unfold(RETRIED, user.page);
  await user.page.getByRole('table', { name: 'Price breakdown' }).waitFor();
  expect(await user.page.locator('.log-detail').textContent()).not.toContain('flaky');
  expect(await user.page.getByRole('textbox', { name: 'Username' }).count()).toBe(0);
  expect(user.problems).toEqual([]);
  await user.close();
});

test('the logs have no accessibility problems with details open, in the table and in the cards of a phone', async () => {
  await unfold(RETRIED);
  await unfold(FAILING);
  await page.locator('.left-out li').first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await scrolledSideways(page)).toEqual([]);
  expect(site.visit.problems).toEqual([]);
  const phone = await site.open({ language: 'zh', theme: 'dark', isPhone: true });
  await phone.page.goto('/log');
  const card = phone.page.locator('li[data-row]').filter({ hasText: RETRIED });
  // Several calls are visible at once.
  expect((await card.boundingBox())?.height).toBeLessThan(200);
  await card.locator('[aria-expanded]').click();
  await card.getByRole('table', { name: '计费过程' }).waitFor();
  expect(await accessibilityProblems(phone.page)).toEqual([]);
  expect(phone.problems).toEqual([]);
  await phone.close();
});

test('a long name of a channel or user stays in its cell', async () => {
  await page.goto('/log');
  const names = page.locator('tbody .log-lines > .truncate');
  await names.first().waitFor();
  const outside = await names.evaluateAll((all) => {
    for (const name of all) name.textContent = 'Long name of an upstream, second';
    const rightOf = (box: Element | null) => box?.getBoundingClientRect().right ?? 0;
    return all.filter((name) => rightOf(name) > rightOf(name.closest('td'))).length;
  });
  expect(outside).toBe(0);
});

test('an admin clears old logs, and sums of usage stay', async () => {
  const root = await signIn(site.url, 'root', rootPassword);
  const total = async () => ((await root.call('/api/log/?type=2')) as { total: number }).total;
  const used = async () => ((await root.call('/api/log/stat?type=2')) as { quota: number }).quota;
  expect(await total()).toBeGreaterThan(0);
  await page.goto('/log');
  await page.getByRole('button', { name: 'Clear old logs' }).click();
  const dialog = page.getByRole('dialog', { name: 'Clear old logs' });
  await dialog.getByLabel('Delete logs before').fill('');
  await dialog.getByRole('button', { name: 'Clear', exact: true }).click();
  await dialog.getByText('Choose a date').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  // No row here is thirty days old.
  await dialog.getByRole('button', { name: '30 days ago' }).click();
  await dialog.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.locator('.toast').filter({ hasText: '0 logs cleared' }).waitFor();
  const quota = ((await root.call('/api/user/search?keyword=alice')) as { items: { used_quota: number }[] })
    .items[0]?.used_quota;
  await root.call(`/api/log/?target_timestamp=${Math.floor(Date.now() / 1000) + 60}`, { method: 'DELETE' });
  expect([await total(), await used()]).toEqual([0, 0]);
  const after = (await root.call('/api/user/search?keyword=alice')) as { items: { used_quota: number }[] };
  expect(after.items[0]?.used_quota).toBe(quota);
  expect(quota).toBeGreaterThan(0);
});
