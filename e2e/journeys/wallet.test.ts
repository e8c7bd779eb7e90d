import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type RunningPayments, startPayments } from '../../src/simulator/payment/start.ts';
import { moveTo, settled } from '../support/console-moves.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { balanceOf, type Operator, setOption } from '../support/operator.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { scrolledSideways, widerThanPlace } from '../support/sideways.ts';

/** Redemption codes from creation to redemption, and an online payment up to the balance, in Chinese. */

const DOLLAR = 500_000;

let site: ConsoleSite;
let operator: Operator;
let payments: RunningPayments;
let page: Page;

beforeAll(async () => {
  payments = await startPayments('1000', 'merchant-key');
  site = await startConsole({ language: 'zh' });
  ({ operator, page } = site);
});

afterAll(async () => {
  await site.stop();
  await payments.stop();
});

const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const toast = (text: string): Promise<void> =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor();
const row = (name: string): Locator => page.locator('tr[data-row]').filter({ hasText: name });
const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
const codes = z.object({ items: z.array(z.object({ id: z.number(), key: z.string(), name: z.string() })) });
const saved = async () => codes.parse(await operator.call('/api/redemption?page_size=100')).items;

test('codes are created in a batch, shown afterwards, copied, and downloaded in a file of their name', async () => {
  await page.goto('/redemption');
  await button('添加兑换码').first().click();
  await page.getByRole('textbox', { name: '名称' }).fill('春节活动');
  await page.getByRole('spinbutton', { name: '生成数量' }).fill('3');
  await button('创建').click();
  await page.getByRole('dialog', { name: '已创建 3 个兑换码' }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), button('下载为文本').click()]);
  expect(download.suggestedFilename()).toBe('春节活动.txt');
  await button('全部复制').click();
  const keys = (await saved()).map(({ key }) => key);
  await expect.poll(async () => (await clipboard()).split('\n').toSorted()).toEqual(keys.toSorted());
  await page.keyboard.press('Escape');
  await expect.poll(() => row('春节活动').count()).toBe(3);
});

test('copying needs a selection, and copies name and code of the selected rows', async () => {
  await button('复制选中的兑换码').click();
  await toast('请至少选择一个兑换码！');
  await row('春节活动').first().getByRole('checkbox').check();
  await button('复制选中的兑换码').first().click();
  await expect.poll(clipboard).toMatch(/^春节活动 {4}[0-9A-Za-z]{32}$/);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('a code can be redeemed once, shows its amount, and cannot be edited afterwards', async () => {
  const [code] = await saved();
  const before = (await balanceOf(operator)).quota;
  await page.goto('/topup');
  await button('兑换额度').click();
  await page.getByText('请输入兑换码！').waitFor();
  await page.getByRole('textbox', { name: '兑换码' }).fill(code?.key ?? '');
  await button('兑换额度').click();
  await toast('兑换成功！已到账 $0.2000');
  expect((await balanceOf(operator)).quota).toBe(before + 100_000);
  await row('春节活动').first().waitFor();
  await page.getByRole('textbox', { name: '兑换码' }).fill(code?.key ?? '');
  await button('兑换额度').click();
  await page.getByText('兑换失败，兑换码无效或已被使用').waitFor();
  await page.goto('/redemption');
  await row('已使用').getByRole('button', { name: '编辑' }).click();
  await toast('只有未使用的兑换码可以编辑');
});

test('invite rewards are in the history as earnings, which do not change the balance', async () => {
  await setOption(operator, 'QuotaForInviter', 250_000);
  const { quota } = await balanceOf(operator);
  const guest = {
    username: 'guest',
    password: 'a long enough secret',
    aff_code: await operator.call('/api/user/aff'),
  };
  await operator.call('/api/user/register', { method: 'POST', body: guest });
  await page.goto('/topup');
  const earned = row('邀请奖励').first();
  await earned.locator('.wallet-change').waitFor();
  await expect.poll(() => earned.locator('.wallet-change').textContent()).toBe('+$0.5000计入邀请收益');
  const cells = await earned.locator('td').allTextContents();
  expect(cells).toContain(`$${(quota / DOLLAR).toFixed(2)}`);
  expect((await balanceOf(operator)).quota).toBe(quota);
});

test('a wallet without payment settings shows what is missing', async () => {
  await page.goto('/topup');
  await page.getByText('管理员未开启在线充值！').waitFor();
  await button('获取兑换码').click();
  await toast('超级管理员未设置充值链接！');
  expect(await button('支付宝').count()).toBe(0);
});

test('an online payment goes from the amount through the payment gateway to the balance', async () => {
  await setOption(operator, 'ServerAddress', site.url);
  await setOption(operator, 'PayAddress', payments.url);
  await setOption(operator, 'EpayId', '1000');
  await setOption(operator, 'EpayKey', 'merchant-key');
  const before = (await balanceOf(operator)).quota;
  await page.goto('/topup');
  await page.getByText('¥7.30').waitFor();
  await button('$10').click();
  await page.getByText('¥73.00').waitFor();
  await page.getByRole('spinbutton', { name: '充值数量' }).fill('0');
  await expect.poll(() => button('支付宝').isDisabled()).toBe(true);
  await button('$10').click();
  await page.getByText('¥73.00').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await button('支付宝').click();
  const dialog = page.getByRole('dialog', { name: '确认充值' });
  await dialog.getByText('¥73.00').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await button('去支付').click();
  await page.waitForURL(/submit\.php/);
  await page.getByText('¥73.00').waitFor();
  await page.getByRole('button').click();
  await page.waitForURL(/\/topup/);
  await page.getByText('额度会在收到支付平台的通知后到账').waitFor();
  await row('在线充值').first().waitFor();
  expect((await balanceOf(operator)).quota).toBe(before + 10 * DOLLAR);
  expect(site.visit.problems).toEqual([]);
});

test('a refused amount shows the reason, and no payment', async () => {
  await setOption(operator, 'MinTopUp', '5');
  await page.goto('/topup');
  await page.getByText('¥36.50').waitFor();
  await page.getByRole('spinbutton', { name: '充值数量' }).fill('4');
  await page.getByText('错误：充值数量不能小于 5').waitFor();
  await page.getByText('¥0.00').waitFor();
  await expect.poll(() => button('支付宝').isDisabled()).toBe(true);
  await setOption(operator, 'MinTopUp', '1');
});

test.each([
  ['zh', 'dark', true],
  ['en', 'light', true],
  ['en', 'dark', false],
] as const)('wallet and codes in %s, %s, phone %s: axe finds nothing', async (language, theme, isPhone) => {
  const other = await site.open({ language, theme, isPhone });
  for (const path of ['/topup', '/redemption', '/redemption?edit=new']) {
    await moveTo(other.page, path);
    await settled(other.page);
    await other.page.locator('[data-row], .state').first().waitFor();
    if (path.includes('edit')) await other.page.getByRole('dialog').waitFor();
    expect([path, await accessibilityProblems(other.page)]).toEqual([path, []]);
    expect([path, isPhone ? [] : await scrolledSideways(other.page)]).toEqual([path, []]);
    expect([path, await widerThanPlace(other.page)]).toEqual([path, []]);
  }
  expect(other.problems).toEqual([]);
  await other.close();
});
