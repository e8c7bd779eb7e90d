import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import type { Operator } from '../support/operator.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** The form of a channel in a real browser: help with filling it in, before anything is saved. */

const BROKEN = 'fault-status-500';

let simulator: RunningSimulator;
let site: ConsoleSite;
let operator: Operator;
let page: Page;

beforeAll(async () => {
  simulator = await startSimulator();
  site = await startConsole({ language: 'zh' });
  ({ operator, page } = site);
});

afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

const channels = z.object({
  items: z.array(
    z.object({
      id: z.number(),
      models: z.string(),
      model_mapping: z.string(),
      status_code_mapping: z.string(),
      param_override: z.string(),
    }),
  ),
});
const saved = async () => channels.parse(await operator.call('/api/channel')).items;

const field = (name: string): Locator => page.locator('.drawer').getByRole('textbox', { name, exact: true });
const cell = (name: string): Locator => page.locator('.drawer').getByLabel(name, { exact: true });
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

/** How many pixels of the fields' place lie under a test's result. */
const coveredFields = (verdict: Locator): Promise<number> =>
  verdict.evaluate((shown) => {
    const fields = shown.closest('.drawer')?.querySelector('.drawer-body')?.getBoundingClientRect();
    return (fields?.bottom ?? Infinity) - shown.getBoundingClientRect().top;
  });

test('a type is found by any of its names, and the form is tested before it is saved, in a place of its own', async () => {
  await page.goto('/channel?edit=new');
  const type = page.locator('.drawer').getByRole('combobox', { name: '类型' });
  await type.click();
  await type.fill('xunfei');
  await page.getByRole('option', { name: 'iFlytek', exact: true }).click();
  await expect.poll(() => field('密钥').getAttribute('placeholder')).toBe('APPID|APISecret|APIKey');
  await expect.poll(() => field('API 版本').inputValue()).toBe('v2.1');
  await type.click();
  await type.fill('chatgpt');
  await page.getByRole('option', { name: 'OpenAI', exact: true }).click();
  await field('密钥').fill('sk-simulated');
  await field('代理地址').fill(simulator.url);
  await field('自定义模型名称').fill(`gpt-4o,${BROKEN}`);
  await button('填入').click();
  await button('测试').click();
  const verdict = page.locator('.try-verdict');
  await verdict.getByText('gpt-4o 响应正常').waitFor();
  await verdict.getByRole('button', { name: '实际请求与响应' }).click();
  await verdict.getByText('已收到').waitFor();
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await coveredFields(verdict)).toBeLessThanOrEqual(0);
    expect(await widerThanPlace(page)).toEqual([]);
  }
  await field('自定义模型名称').fill('not-there');
  await button('填入').click();
  await page.locator('.drawer').getByRole('combobox', { name: '测试模型' }).click();
  await page.getByRole('option', { name: BROKEN }).click();
  await button('测试').click();
  await verdict.getByText('The server had an error').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await saved()).toEqual([]);
});

test('further models of an upstream can be reviewed before they are added', async () => {
  await operator.call('/api/channel', {
    method: 'POST',
    body: {
      type: 1,
      name: 'compared',
      key: 'sk-simulated',
      base_url: simulator.url,
      models: 'gpt-4o,long-gone,alias',
      model_mapping: '{"alias":"gpt-4o"}',
    },
  });
  await page.goto(`/channel?edit=${(await saved())[0]?.id}`);
  await button('获取模型列表').click();
  const dialog = page.getByRole('dialog', { name: '上游的模型' });
  await dialog.getByRole('checkbox', { name: 'o3-mini' }).waitFor();
  expect(await dialog.getByRole('checkbox', { name: 'alias' }).count()).toBe(0);
  await dialog.getByRole('button', { name: '全不选' }).click();
  await dialog.getByRole('checkbox', { name: 'o3-mini' }).check();
  await dialog.getByRole('checkbox', { name: 'long-gone' }).check();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: '应用：新增 1 个，移除 1 个' }).click();
  await button('保存').click();
  await expect.poll(async () => (await saved())[0]?.models).toBe('gpt-4o,alias,o3-mini');
});

test('a model that is typed while the list is loading stays', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/models', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto('/channel?edit=new');
  await button('填入相关模型').click();
  await field('自定义模型名称').fill('our-own');
  await button('填入').click();
  const chips = page.locator('.models-field .taken-name');
  await expect.poll(() => chips.allTextContents()).toEqual(['our-own']);
  resolve();
  await chips.filter({ hasText: /^gpt-4o-mini$/ }).waitFor();
  await expect.poll(() => chips.allTextContents()).toContain('our-own');
  await page.unroute('**/api/models');
});

test('mappings and parameters are typed as rows, whose mistakes are named beside them, and are shown again', async () => {
  const open = async (): Promise<void> => {
    await page.goto(`/channel?edit=${(await saved())[0]?.id}`);
    await page
      .locator('.drawer')
      .getByRole('button', { name: /^高级设置/ })
      .click();
  };
  await open();
  await cell('模型重定向: 请求的模型 2').fill('mini');
  await cell('模型重定向: 上游的模型 2').fill('gpt-4o-min');
  await expect
    .poll(() =>
      page
        .locator('.pairs')
        .first()
        .locator('datalist option')
        .evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
    )
    .toContain('gpt-4o-mini');
  await cell('模型重定向: 上游的模型 2').fill('gpt-4o-mini');
  await cell('模型重定向: 请求的模型 3').fill('mini');
  await cell('模型重定向: 上游的模型 3').fill('gpt-4o');
  await page.getByText('名称重复').nth(1).waitFor();
  await button('保存').click();
  await page.getByText('模型映射必须是合法的 JSON 格式！').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await cell('模型重定向: 请求的模型 3').fill('gpt-4o-mini');
  await cell('模型重定向: 上游的模型 3').fill('mini');
  await page.getByText('形成了循环').first().waitFor();
  await page.getByRole('button', { name: '删除 gpt-4o-mini' }).click();
  await cell('状态码映射: 上游状态码 1').fill('503');
  await cell('状态码映射: 返回的状态码 1').fill('200');
  await page.getByText('都填写 400 到 599 的状态码').waitFor();
  await cell('状态码映射: 返回的状态码 1').fill('429');
  // A name that is a smaller number stays the second row.
  await cell('状态码映射: 上游状态码 2').pressSequentially('400');
  await cell('状态码映射: 返回的状态码 2').fill('422');
  await cell('参数覆盖: 参数 1').fill('temperature');
  await cell('参数覆盖: 值 1').pressSequentially('0.50');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await widerThanPlace(page, 'html, .drawer-body')).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await button('保存').click();
  await expect
    .poll(async () => JSON.parse((await saved())[0]?.param_override || '{}') as unknown)
    .toEqual({ temperature: 0.5 });
  const [made] = await saved();
  expect(JSON.parse(made?.model_mapping ?? '')).toEqual({ alias: 'gpt-4o', mini: 'gpt-4o-mini' });
  expect(JSON.parse(made?.status_code_mapping ?? '')).toEqual({ '400': '422', '503': '429' });
  await open();
  await expect.poll(() => cell('参数覆盖: 值 1').inputValue()).toBe('0.5');
});

test('the page reported no errors in any of these tests', () => {
  expect(site.visit.problems).toEqual([]);
});
