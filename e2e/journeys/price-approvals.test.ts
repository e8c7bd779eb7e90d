import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { moveTo } from '../support/console-moves.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** Prices that need a second person, in two browsers: the super admin's, and on a phone another admin's. */

let site: ConsoleSite;
let author: Page;
let approver: Page;

const password = 'staple battery horse';
const made = { method: 'POST', body: { username: 'ada', password, display_name: 'Ada', role: 10 } } as const;

beforeAll(async () => {
  site = await startConsole();
  author = site.page;
  await site.operator.call('/api/user/', made);
  ({ page: approver } = await site.open({ username: 'ada', password, isPhone: true }));
});
afterAll(() => site.stop());

const option = async (key: string): Promise<string | undefined> => {
  const rows = (await site.operator.call('/api/option/')) as { key: string; value: string }[];
  return rows.find((row) => row.key === key)?.value;
};
const told = (page: Page, text: string): Promise<void> =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor();
const change = (page: Page) => page.getByRole('dialog', { name: /^Change of prices/ });

test('the super admin switches it on; a changed setting then waits for the other admin', async () => {
  await author.goto('/setting?tab=operation&card=secondPerson');
  const card = author.getByRole('region', { name: 'Prices by two people' });
  await card.getByRole('switch').click();
  await card.getByRole('button', { name: /^Save/ }).click();
  await told(author, 'Saved');
  const rate = author.getByRole('spinbutton', { name: 'Quota per dollar' });
  await rate.fill('400000');
  await rate.press('Enter');
  await told(author, 'Sent for approval');
  expect(await option('QuotaPerUnit')).toBe('500000');
});

test('it is refused with words by keyboard, the author reads them and sends it again, and it is approved', async () => {
  await moveTo(approver, '/detail');
  const attention = approver.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('Waits for your approval').waitFor();
  await attention.getByRole('link', { name: 'Saved in the settings' }).click();
  const asked = change(approver);
  await asked.getByText('400000').waitFor();
  expect(await accessibilityProblems(approver)).toEqual([]);
  expect(await widerThanPlace(approver)).toEqual([]);
  await approver.screenshot({ path: '/tmp/pair/phone.png' });
  await approver.setViewportSize({ width: 1440, height: 900 });
  await approver.screenshot({ path: '/tmp/pair/wide.png' });
  await approver.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
  await approver.setViewportSize({ width: 768, height: 900 });
  await approver.screenshot({ path: '/tmp/pair/dark768.png' });
  await approver.setViewportSize({ width: 390, height: 844 });
  const reject = asked.getByRole('button', { name: 'Reject' });
  expect(await reject.isDisabled()).toBe(true);
  await asked.getByRole('textbox', { name: 'Words to the author' }).fill('not in this month');
  await reject.press('Enter');
  await told(approver, 'Rejected');

  await moveTo(author, '/price-book');
  await author.getByRole('button', { name: /Rejected/ }).click();
  const draft = change(author);
  await draft.getByText(/Rejected by ada.*not in this month/).waitFor();
  await draft.getByRole('textbox', { name: 'Reason' }).fill('a cheaper unit');
  expect(await accessibilityProblems(author)).toEqual([]);
  await author.screenshot({ path: '/tmp/pair/author.png' });
  await draft.getByRole('button', { name: 'Send for approval' }).click();
  await told(author, 'Sent for approval');
  await author.getByRole('button', { name: /a cheaper unit/ }).click();
  await draft.getByText('another admin has to approve it').waitFor();
  await draft.getByRole('button', { name: 'Take back' }).waitFor();
  await author.screenshot({ path: '/tmp/pair/waits.png' });

  await approver.goto('/price-book');
  const yours = approver.getByRole('region', { name: 'Waiting for you' });
  await yours.getByRole('button', { name: /a cheaper unit/ }).click();
  await change(approver).getByRole('button', { name: 'Approve' }).click();
  await told(approver, 'Approved');
  expect(await option('QuotaPerUnit')).toBe('400000');
  await approver.getByText('Approved by ada').first().waitFor();
  await approver.screenshot({ path: '/tmp/pair/book-phone.png' });
  await author.keyboard.press('Escape');
  await author.reload();
  await author.getByText('Approved by ada').first().waitFor();
  await author.screenshot({ path: '/tmp/pair/book.png' });
  expect(await accessibilityProblems(approver)).toEqual([]);
});
