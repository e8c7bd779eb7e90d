import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { moveTo, settled } from '../support/console-moves.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import type { Operator } from '../support/operator.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** The site's settings, prices and dashboard in a real browser, in Chinese, where the specification gives the words. */

let site: ConsoleSite;
let operator: Operator;
let page: Page;

beforeAll(async () => {
  site = await startConsole({ language: 'zh' });
  ({ operator, page } = site);
  await operator.call('/api/channel', {
    method: 'POST',
    body: { type: 1, name: 'any', key: 'sk-any', models: 'gpt-4o,my-own-model', group: 'default,vip' },
  });
});
afterAll(async () => {
  await site.stop();
});

const options = async (): Promise<Map<string, string>> => {
  const rows = z
    .array(z.object({ key: z.string(), value: z.string() }))
    .parse(await operator.call('/api/option/'));
  return new Map(rows.map(({ key, value }) => [key, value]));
};
const toast = (text: string): Promise<void> =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor();
const save = (card: string): Promise<void> =>
  page.getByRole('button', { name: `保存${card}`, exact: true }).click();

test('one call per changed option; "nothing changed" and invalid input are reported in the words of the specification', async () => {
  await page.goto('/setting?tab=ratelimit');
  await save('模型请求速率限制');
  await toast('你似乎并没有修改什么');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postData() ?? ''));
  await page.getByRole('switch', { name: '启用模型请求速率限制' }).click();
  await page.getByRole('spinbutton', { name: '每周期最多请求次数' }).fill('60');
  await save('模型请求速率限制');
  await toast('保存成功');
  expect(sent.map((body) => JSON.parse(body))).toEqual([
    { key: 'ModelRequestRateLimitCount', value: '60', was: '0' },
    { key: 'ModelRequestRateLimitEnabled', value: 'true', was: 'false' },
  ]);
  await page.reload();
  await expect
    .poll(() => page.getByRole('spinbutton', { name: '每周期最多请求次数' }).inputValue())
    .toBe('60');
  await page.getByRole('spinbutton', { name: '每周期最多成功次数' }).fill('0');
  await save('模型请求速率限制');
  await toast('请检查输入');
  // What was typed outlives another tab of the site's settings, where a mark tells of it, but not one's own.
  await page.getByRole('link', { name: '运营设置' }).click();
  await page.locator('[id="card-operation"]').waitFor();
  await page.getByRole('link', { name: '速率限制 有未保存的修改' }).waitFor();
  await page.getByRole('link', { name: '个人设置' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click();
  await page.getByRole('link', { name: '速率限制 有未保存的修改' }).click();
  await expect
    .poll(() => page.getByRole('spinbutton', { name: '每周期最多成功次数' }).inputValue())
    .toBe('0');
  expect((await options()).get('ModelRequestRateLimitSuccessCount')).toBe('1000');
});

test('before a group that is in use is removed, it says by how many, and keeps it unless one is sure', async () => {
  const operation = '/setting?tab=operation';
  await page.goto(operation);
  const ratios = page.getByRole('group', { name: '分组倍率', exact: true });
  const remove = async (group: string) => {
    await ratios.getByRole('button', { name: `删除 ${group}`, exact: true }).click();
    await save('分组设置');
  };
  await remove('vip');
  const dialog = page.getByRole('dialog');
  const row = dialog.getByRole('row').filter({ hasText: 'vip' });
  await row.waitFor();
  // No user, no token, one channel.
  expect(await row.getByRole('cell').allTextContents()).toEqual(['vip', '0', '0', '1']);
  expect(await row.getByRole('link').getAttribute('href')).toBe('/channel?group=vip');
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: '保留分组' }).click();
  expect((await options()).get('GroupRatio')).toContain('vip');
  await save('分组设置');
  await dialog.getByRole('button', { name: '移除', exact: true }).click();
  await toast('保存成功');
  expect((await options()).get('GroupRatio')).not.toContain('"vip"');
  // The group has no users, so no confirmation is asked for.
  await page.goto(operation);
  await remove('svip');
  await toast('保存成功');
  expect(Object.keys(JSON.parse((await options()).get('GroupRatio') ?? ''))).toEqual(['default']);
  await operator.call('/api/option', {
    method: 'PUT',
    body: { key: 'GroupRatio', value: '{"default":1,"vip":1,"svip":1}' },
  });
});

test('invalid JSON is reported on leaving the field', async () => {
  await page.goto('/setting?tab=models');
  const field = page.locator('[id="option-claude.model_headers_settings"]');
  await field.getByRole('button', { name: '编辑 JSON' }).click();
  const editor = field.locator('.cm-content');
  await editor.fill('{"claude": ');
  await page.getByRole('heading', { name: 'Claude 设置' }).click();
  await page.getByText('不是合法的 JSON 字符串').waitFor();
  await page.getByRole('button', { name: '撤销修改' }).click();
  await expect.poll(() => page.getByText('不是合法的 JSON 字符串').count()).toBe(0);
});

test('turning off login by password asks for confirmation', async () => {
  await page.goto('/setting?tab=system');
  const flag = page.getByRole('switch', { name: '允许通过密码进行登录' });
  await flag.click();
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click();
  await expect.poll(() => flag.isChecked()).toBe(true);
});

test('the table of ratios takes each name once, one kind of price, and only numbers; priced models leave the unset list', async () => {
  await page.goto('/setting?tab=operation&ratio=unset');
  await page.getByText('my-own-model').waitFor();
  await page.getByRole('button', { name: '批量设置' }).click();
  await toast('请先选择需要批量设置的模型');
  await page.getByRole('checkbox', { name: '选择 my-own-model' }).check();
  await page.getByRole('button', { name: '批量设置' }).click();
  const dialog = page.getByRole('dialog', { name: '批量设置' });
  await dialog.getByRole('button', { name: '填充' }).click();
  await dialog.getByText('请输入填充值').waitFor();
  await dialog.getByRole('radio', { name: '模型倍率和补全倍率' }).check();
  await dialog.getByRole('textbox', { name: '模型倍率' }).fill('1.5');
  await dialog.getByRole('button', { name: '填充' }).click();
  await dialog.getByText('请输入模型倍率和补全倍率').waitFor();
  await dialog.getByRole('textbox', { name: '补全倍率' }).fill('4');
  await dialog.getByRole('button', { name: '填充' }).click();
  await page.getByRole('button', { name: '应用更改' }).click();
  await toast('保存成功');
  await page.getByText('没有未设置倍率的模型').waitFor();
  const saved = await options();
  expect(
    [saved.get('ModelRatio'), saved.get('CompletionRatio')].map((text) => JSON.parse(text ?? '')),
  ).toEqual([{ 'my-own-model': 1.5 }, { 'my-own-model': 4 }]);
  await page.getByRole('radio', { name: '可视化倍率设置' }).check();
  await page.getByRole('button', { name: '添加模型' }).click();
  const add = page.getByRole('dialog', { name: '添加模型' });
  await add.getByRole('textbox', { name: '模型名称' }).fill('my-own-model');
  await add.getByRole('button', { name: '添加', exact: true }).click();
  await add.getByText('模型名称已存在').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '放弃修改' }).click();
  await page.getByRole('textbox', { name: 'my-own-model: 固定价格（美元/次）' }).fill('0.1');
  await expect
    .poll(() => page.getByRole('textbox', { name: 'my-own-model: 模型倍率' }).isDisabled())
    .toBe(true);
  await page.getByRole('textbox', { name: 'my-own-model: 固定价格（美元/次）' }).pressSequentially('x');
  await toast('请输入数字');
});

test('prices are calculated for the selected group, and found by name', async () => {
  await page.goto('/pricing?q=my-own&view=cards');
  const card = page.locator('.price-card');
  await card.filter({ hasText: 'my-own-model' }).waitFor();
  // 1.5 × 2 and that × 4.
  await expect.poll(() => card.locator('dd').allTextContents()).toEqual(['$3.00/ 1M', '$12.00/ 1M']);
});

test('a form sets the dimensions of a price, and shows the cost of example calls before it is saved', async () => {
  await page.goto('/setting?tab=operation&ratio=dimensions');
  await page.getByRole('combobox', { name: '模型', exact: true }).fill('gpt-4o');
  const steps = page.getByRole('region', { name: '上下文阶梯' });
  await steps.getByRole('button', { name: '添加上下文阶梯' }).click();
  const costs = page.locator('[data-example-cost]');
  const tokens = steps.getByRole('spinbutton', { name: 'Token 数' });
  await steps.getByText('请输入整数，且大于上一级').waitFor();
  await tokens.fill('200000');
  await steps.getByRole('spinbutton', { name: '输入', exact: true }).fill('2');
  await steps.getByRole('spinbutton', { name: '输出', exact: true }).fill('1.5');
  // 2.5 and 10 dollars a million: 10,000 in and 1000 out; 300,000 at twice that, and 1000 at one and a half times.
  await expect
    .poll(() => costs.allTextContents())
    .toEqual([expect.stringContaining('$0.035'), expect.stringContaining('$1.515')]);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: '保存价格维度' }).click();
  await toast('保存成功');
  expect(JSON.parse((await options()).get('PriceDimensions') ?? '')).toEqual({
    'gpt-4o': {
      context: { counts: 'prompt', charges: 'call', steps: [{ above: 200_000, input: 2, output: 1.5 }] },
    },
  });
});

test('the palette finds a setting by its name and opens it', async () => {
  await page.goto('/token');
  await page.getByRole('button', { name: /^搜索/ }).waitFor();
  await page.keyboard.press('Control+k');
  await page.locator('.palette').getByRole('combobox').fill('失败重试');
  await page.getByRole('option', { name: /失败重试次数/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/tab=operation&option=RetryTimes/);
  const field = page.getByRole('spinbutton', { name: '失败重试次数' });
  await field.waitFor();
  await expect.poll(() => field.inputValue()).toBe('0');
  // The field of the setting has the focus.
  await expect.poll(() => field.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
});

test('every page here has no accessibility problems, on a phone, in the dark theme and in English', async () => {
  const phone = await site.open({ theme: 'dark', isPhone: true });
  const paths = ['operation', 'ratelimit', 'models', 'system', 'other'].map((tab) => `/setting?tab=${tab}`);
  for (const path of [...paths, '/']) {
    await moveTo(phone.page, path);
    await settled(phone.page);
    expect([path, await accessibilityProblems(phone.page)]).toEqual([path, []]);
    expect([path, await widerThanPlace(phone.page)]).toEqual([path, []]);
  }
  expect(phone.problems).toEqual([]);
  await phone.close();
  expect(site.visit.problems).toEqual([]);
});

test('selection policies, also for groups, and deadlines are edited as rows; values that rows cannot show stay JSON', async () => {
  await page.goto('/setting?tab=operation');
  const table = (name: string) => page.getByRole('group', { name });
  const row = async (name: string, texts: readonly string[], choice: string): Promise<void> => {
    await table(name).getByRole('button', { name: '添加一行' }).click();
    for (const [at, text] of texts.entries()) await table(name).getByRole('textbox').nth(at).fill(text);
    await table(name).getByRole('combobox').selectOption({ label: choice });
    await table(name).getByRole('button', { name: '加入' }).click();
    await table(name)
      .getByRole('button', { name: `删除 ${texts[0] ?? ''}` })
      .waitFor();
  };
  await row('按模型和分组的选择', ['claude-*', 'vip'], '最便宜');
  await save('渠道选择');
  await expect
    .poll(async () => JSON.parse((await options()).get('routing_setting.choice') ?? '{}') as unknown)
    .toEqual({ groups: { vip: { 'claude-*': 'cheapest' } } });
  await row('各模型的首字期限', ['gpt-*', '2.5'], '是');
  await save('通用设置');
  await expect
    .poll(async () => JSON.parse((await options()).get('upstream_setting.first_token') ?? '{}') as unknown)
    .toEqual({ 'gpt-*': { deadline_ms: 2500, hedge: true } });
  expect(await accessibilityProblems(page)).toEqual([]);
  const rule = { m: { deadline_ms: 'auto', factor: 3 } };
  await operator.call('/api/option/', {
    method: 'PUT',
    body: { key: 'upstream_setting.first_token', value: JSON.stringify(rule) },
  });
  await page.reload();
  await page.locator('[id="option-upstream_setting.first_token"] .cm-content').waitFor();
});

test('a new row is added on leaving it, so that it is saved without clicking add', async () => {
  await operator.call('/api/option/', {
    method: 'PUT',
    body: { key: 'routing_setting.choice', value: '{}' },
  });
  await page.goto('/setting?tab=operation');
  const table = page.getByRole('group', { name: '按模型和分组的选择' });
  await table.getByRole('button', { name: '添加一行' }).click();
  await table.getByRole('textbox').first().fill('o3-*');
  await save('渠道选择');
  await expect
    .poll(async () => JSON.parse((await options()).get('routing_setting.choice') ?? '{}') as unknown)
    .toEqual({ models: { 'o3-*': 'weight' } });
});

const isAtTop = (card: Element): boolean => {
  const { top } = card.getBoundingClientRect();
  return top >= 0 && top < innerHeight / 2;
};

test('a card is found by its name and scrolled into view, also one without options', async () => {
  await page.goto('/setting?tab=models');
  await page.getByRole('searchbox', { name: '搜索设置' }).fill('封存');
  await page.getByRole('link', { name: '收据封存' }).click();
  await page.waitForURL(/tab=operation.*card=seals/);
  await expect.poll(() => page.locator('#card-seals').evaluate(isAtTop)).toBe(true);
  await page.getByRole('searchbox', { name: '搜索设置' }).fill('没有这样的设置');
  await page.getByText('没有匹配的设置').waitFor();
});
