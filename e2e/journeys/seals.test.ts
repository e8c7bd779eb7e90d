import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { accessibilityProblems, type ConsoleVisit } from '../support/console-visit.ts';
import {
  makeChannel,
  makeToken,
  type Operator,
  rootPassword,
  setOption,
  signIn,
} from '../support/operator.ts';
import { projectRoot } from '../support/program.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** Receipts, seals and statements with proofs in a real browser: for a user and for the super admin. */

const HOUR_MS = 3_600_000;
const MODEL = 'gpt-4o-mini';
const ALICE = { username: 'alice', password: 'a long enough secret' };
const SEALS = '/.well-known/tollgate-seals.json';
const now = new Date();
const LAST_MS = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);
const LAST_MONTH = new Date(LAST_MS).toISOString().slice(0, 7);

const run = promisify(execFile);
let simulator: RunningSimulator;
let site: ConsoleSite;
let page: Page;
let alice: ConsoleVisit;
let user: Operator;

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole();
  ({ page } = site);
  const root = site.operator;
  await setOption(root, 'QuotaForNewUser', 1_000_000);
  await setOption(root, 'ModelRatio', { [MODEL]: 10 });
  await makeChannel(root, { name: 'solid', baseUrl: simulator.url, models: [MODEL] });
  await root.call('/api/user/register', { method: 'POST', body: ALICE });
  user = await signIn(site.url, ALICE.username, ALICE.password);
  await makeCall(user);
  moveToLastMonth();
  await makeCall(user);
  alice = await site.open(ALICE);
});
afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const makeCall = async (caller: Operator): Promise<void> => {
  const { key } = await makeToken(caller);
  const response = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Write some code' }] }),
  });
  await response.text();
  expect(response.status).toBe(200);
};

const change = (statements: string): void => {
  const database = new DatabaseSync(join(site.tollgate.dataDir, 'tollgate.db'));
  try {
    database.exec(`PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE; ${statements}; COMMIT`);
  } finally {
    database.close();
  }
};

/** Moves everything so far into the previous month, which has ended. */
const moveToLastMonth = (): void =>
  change(`UPDATE logs SET created_at = ${LAST_MS}; UPDATE journal SET created_at = ${LAST_MS};
    UPDATE usage_hours SET hour = ${LAST_MS / HOUR_MS}`);

const card = (on: Page = page) => on.locator('#card-seals');
const openCard = async (on: Page = page): Promise<void> => {
  await on.goto('/setting?tab=operation');
  await card(on).locator('dl, [role=alert]').first().waitFor();
};
const fact = (name: string) => card().locator('dl > div').filter({ hasText: name }).locator('dd').innerText();
const proveRoot = async (): Promise<void> => {
  const dialog = page.getByRole('dialog').last();
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(rootPassword);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
};
const published = async () =>
  (await (await fetch(`${site.url}${SEALS}`)).json()) as {
    readonly keys: readonly { readonly line: string }[];
    readonly seals: readonly { readonly line: string }[];
  };

test('the super admin seals at once, and the card shows what is sealed and where it is published', async () => {
  await openCard();
  await expect.poll(() => fact('Next seal')).toMatch(/:15:00$|Within a minute/);
  await card().getByRole('button', { name: 'Seal now' }).click();
  await page.getByText(/^Seal No\. \d+ is made and published\.$/).waitFor();
  await expect.poll(() => fact('Rows not sealed yet')).toBe('0');
  const { keys, seals } = await published();
  await expect
    .poll(() => fact('Last seal'))
    .toMatch(new RegExp(`^No\\. ${seals.length}, day \\d{4}-\\d\\d-\\d\\d \\(UTC\\)`));
  const { id } = JSON.parse(keys[0]?.line ?? '{}') as { id: string };
  await card()
    .getByRole('button', { name: /^Copy the key's id/ })
    .click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(id);
  await card().getByRole('button', { name: 'Copy the address of the published roots' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}${SEALS}`);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await widerThanPlace(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

const checkReceipt = async (on: Page): Promise<void> => {
  await on.goto('/log');
  await on.locator('tr[data-row]').filter({ hasText: MODEL }).first().locator('.row-fold').click();
  await on.getByRole('button', { name: 'Check the receipt' }).click();
};

test("a user's own row is sealed and correct, and is not once the database was changed", async () => {
  await checkReceipt(alice.page);
  await alice.page.getByText('Sealed and correct').waitFor();
  expect(await accessibilityProblems(alice.page)).toEqual([]);
  // Published data may be cached for a moment after the check.
  await makeCall(user);
  await site.operator.call('/api/seal', { method: 'POST' });
  await checkReceipt(alice.page);
  await alice.page.getByText('Sealed and correct').waitFor();
  change('UPDATE logs SET quota = quota + 1 WHERE type = 2');
  await checkReceipt(alice.page);
  await alice.page.getByText('Verification failed').waitFor();
  change('UPDATE logs SET quota = quota - 1 WHERE type = 2');
});

test('a statement with proofs holds every receipt, and the command finds it proven', async () => {
  await alice.page.goto(`/statements?month=${LAST_MONTH}`);
  await alice.page.getByRole('row', { name: new RegExp(`${MODEL}.*1`) }).waitFor();
  const [download] = await Promise.all([
    alice.page.waitForEvent('download'),
    alice.page.getByRole('button', { name: 'With proofs' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`statement-${LAST_MONTH}.jsonl`);
  const text = await readFile(await download.path(), 'utf8');
  const file = join(site.tollgate.dataDir, 'statement.jsonl');
  await writeFile(file, text);
  const args = ['src/server/main.ts', 'verify', file, '--roots', site.url];
  const { stdout } = await run(process.execPath, args, { cwd: projectRoot });
  expect(stdout).toMatch(/Statement of alice[^]* for 1 calls and 1 movements[^]*PROVEN/);
});

test('the key is rotated after confirmation and a proof of identity; receipts stay valid', async () => {
  change('UPDATE sessions SET fresh_until = 0');
  await openCard();
  const before = await fact('Key in use');
  await card().getByRole('button', { name: 'Rotate key' }).click();
  await page.getByRole('dialog', { name: 'Sign with a new key?' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('dialog').last().getByRole('button', { name: 'Rotate key' }).click();
  await proveRoot();
  await page.getByText('A new key signs from now on').waitFor();
  await expect.poll(() => fact('Key in use')).not.toBe(before);
  const { keys, seals } = await published();
  expect(keys).toHaveLength(2);
  const { first_seal: first } = JSON.parse(keys[1]?.line ?? '{}') as { first_seal: number };
  expect(first).toBe(seals.length + 1);
  await expect.poll(() => fact('Key in use')).toContain(`from No. ${seals.length + 1} on`);
  await checkReceipt(alice.page);
  await alice.page.getByText('Sealed and correct').waitFor();
  expect(site.visit.problems).toEqual([]);
});

test('a key that is damaged is told on the card, where the super admin begins with a new one', async () => {
  change(`UPDATE seal_keys SET private_encrypted = 'v1.damaged'`);
  await openCard();
  await card().getByText('is damaged in the database').waitFor();
  expect(await card().getByRole('button', { name: 'Seal now' }).isDisabled()).toBe(true);
  await card().getByRole('button', { name: 'Begin with a new key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Begin with a key that nothing vouches for?' });
  await dialog.getByRole('button', { name: 'Begin with a new key' }).click();
  await page.getByText('A new key signs from now on').waitFor();
  await card().getByText('is damaged in the database').waitFor({ state: 'detached' });
  expect((await published()).keys).toHaveLength(3);
  expect(site.visit.problems).toEqual([]);
});

test('the card explains that there is no seal yet, or that its state cannot be loaded; on a phone, in Chinese', async () => {
  const visit = await site.open({ language: 'zh', theme: 'dark', isPhone: true });
  const state = {
    last: null,
    keys: [],
    key_damaged: false,
    is_running: false,
    is_due: true,
    next_at: Math.floor(Date.now() / 1000) + 3600,
    unsealed_rows: 10_000,
  };
  let isBroken = false;
  await visit.page.route('**/api/seal', (route) =>
    isBroken
      ? route.fulfill({ status: 500, json: { success: false, message: 'no disk', data: null } })
      : route.fulfill({ json: { success: true, message: '', data: state } }),
  );
  await openCard(visit.page);
  for (const said of ['尚未封存', '一分钟之内', '≥ 10,000', '首次封存时生成'])
    await expect.poll(() => card(visit.page).innerText()).toContain(said);
  expect(await accessibilityProblems(visit.page)).toEqual([]);
  isBroken = true;
  await openCard(visit.page);
  await card(visit.page).getByText('no disk').waitFor();
  expect(await accessibilityProblems(visit.page)).toEqual([]);
  isBroken = false;
  await card(visit.page).getByRole('button', { name: '重试' }).click();
  await card(visit.page).getByText('尚未封存').waitFor();
  expect(await widerThanPlace(visit.page)).toEqual([]);
  expect(visit.problems).toEqual([]);
});
