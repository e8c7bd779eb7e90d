import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityProblems } from '../support/console-visit.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { makeToken } from '../support/operator.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** Statements, and links to the usage of a token, in a real browser. */

const HOUR_MS = 3_600_000;
const now = new Date();
const LAST_MS = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);
const LAST_MONTH = new Date(LAST_MS).toISOString().slice(0, 7);
const USED_UNITS = 1_234_567;
const TODAY_UNITS = 500_000;

let site: ConsoleSite;
let page: Page;
let tokenId: number;

/** As if the token had been used in the month before, too. */
const useToken = (tag: string): void => {
  const database = new DatabaseSync(join(site.tollgate.dataDir, 'tollgate.db'));
  try {
    database.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
    database.exec("INSERT INTO names (name) VALUES ('gpt-statement')");
    const { id } = database.prepare("SELECT id FROM names WHERE name = 'gpt-statement'").get() as {
      id: number;
    };
    const add =
      database.prepare(`INSERT INTO usage_hours (hour, type, user_id, token_id, token_name_id, model_id,
      channel_id, group_id, calls, quota, prompt_tokens, completion_tokens, log_rows, log_quota)
      VALUES (?, 2, 1, ?, 0, ?, 0, 0, 3, ?, 4000, 500, 0, 0)`);
    add.run(LAST_MS / HOUR_MS, tokenId, id, USED_UNITS);
    add.run(Math.floor(Date.now() / HOUR_MS), tokenId, id, TODAY_UNITS);
    const all = USED_UNITS + TODAY_UNITS;
    database
      .prepare('UPDATE users SET used_quota = used_quota + ?, quota = quota - ? WHERE id = 1')
      .run(all, all);
    database.prepare('UPDATE tokens SET used_quota = used_quota + ? WHERE id = ?').run(all, tokenId);
    database.prepare('UPDATE token_tags SET from_hour = ? WHERE tag = ?').run(LAST_MS / HOUR_MS, tag);
    database.prepare('UPDATE journal SET created_at = ?').run(LAST_MS);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
};

beforeAll(async () => {
  site = await startConsole();
  ({ page } = site);
  ({ id: tokenId } = await makeToken(site.operator, {
    name: 'the shop',
    tag: 'shop',
    unlimited_quota: true,
  }));
  useToken('shop');
});
afterAll(async () => {
  await site.stop();
});

test('a month has its statement, of the account, of a token and of a tag, as a page and as files', async () => {
  await page.goto('/statements');
  await page.getByRole('heading', { name: /^So far in/ }).waitFor();
  await page.getByRole('row', { name: /the shop.*\$1\.00/ }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('radio', { name: 'Tag' }).check();
  await page.getByRole('link', { name: 'shop', exact: true }).click();
  await page.getByRole('heading', { name: 'Statements of tag shop' }).waitFor();
  await page.getByRole('link', { name: LAST_MONTH }).click();
  await page.getByRole('heading', { name: `Statement ${LAST_MONTH}` }).waitFor();
  await page.getByRole('row', { name: /gpt-statement.*3.*4,000.*500.*\$2\.469134/ }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const save = async (name: string): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    return readFile(await download.path(), 'latin1');
  };
  expect(await save('CSV')).toContain(`charge,gpt-statement,3,4000,500,${USED_UNITS}\r\n`);
  const pdf = await save('PDF');
  expect(pdf.startsWith('%PDF-1.4')).toBe(true);
  expect(pdf).toContain('(1,234,567)');
  await page.getByRole('link', { name: 'All months' }).click();
  await page.getByRole('link', { name: 'Whole account' }).click();
  await page.getByRole('heading', { name: 'Statements', exact: true }).waitFor();
  await page.getByRole('link', { name: LAST_MONTH }).click();
  await page.getByRole('link', { name: 'All months' }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await widerThanPlace(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(site.visit.problems).toEqual([]);
});

test('a link shows a token to whoever has it, without signing in, on a phone, until it is revoked', async () => {
  await page.goto('/token');
  await page
    .locator('tr[data-row]')
    .first()
    .getByRole('button', { name: /more|actions/i })
    .click();
  await page.getByRole('menuitem', { name: 'Usage links' }).click();
  const dialog = page.getByRole('dialog', { name: /^Usage links/ });
  await dialog.getByText('No links yet').waitFor();
  await dialog.getByRole('textbox', { name: 'Note' }).fill('for the customer');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const address = await dialog.getByRole('link', { name: 'Open' }).getAttribute('href');
  await dialog.getByRole('cell', { name: 'for the customer', exact: true }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);

  const { page: shown, problems, close } = await site.openForStranger({ language: 'zh', isPhone: true });
  try {
    const response = await shown.goto(address ?? '');
    expect(response?.headers()['x-robots-tag']).toBe('noindex, nofollow');
    await shown.getByRole('heading', { name: 'the shop 的用量' }).waitFor();
    await shown.getByText('令牌本身不限额').waitFor();
    await shown.getByRole('row', { name: /gpt-statement/ }).waitFor();
    expect(await accessibilityProblems(shown)).toEqual([]);
    expect(await widerThanPlace(shown)).toEqual([]);
    const text = await shown.locator('main').innerText();
    expect(text).toContain('$3.47');
    expect(text).not.toMatch(/root|sk-/);

    await dialog.getByRole('button', { name: 'Revoke for the customer' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Revoke', exact: true }).click();
    await dialog.getByText('No links yet').waitFor();
    await shown.reload();
    await shown.getByText('链接无效或已失效').waitFor();
    expect(problems).toEqual([]);
  } finally {
    await close();
  }
});

test('in Chinese on a phone statements are complete as well', async () => {
  const visit = await site.open({ language: 'zh', isPhone: true, theme: 'dark' });
  await visit.page.goto(`/statements?token=${tokenId}&month=${LAST_MONTH}`);
  await visit.page.getByRole('heading', { name: `${LAST_MONTH} 账单` }).waitFor();
  // The columns do not fit here, so a model's amount is below its name, not cut off.
  const used = visit.page.getByRole('list', { name: '按模型' }).getByRole('listitem');
  await used.getByText('$2.469134').waitFor();
  expect(await accessibilityProblems(visit.page)).toEqual([]);
  expect(await widerThanPlace(visit.page)).toEqual([]);
  await visit.page.goto('/statements');
  await visit.page.getByRole('heading', { name: /至今$/ }).waitFor();
  expect(await accessibilityProblems(visit.page)).toEqual([]);
  expect(visit.problems).toEqual([]);
});
