import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { moveTo } from '../support/console-moves.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { signIn } from '../support/operator.ts';

/** Users and personal settings in a real browser. */

let site: ConsoleSite;

beforeAll(async () => {
  site = await startConsole({ language: 'zh' });
  for (const username of ['ada', 'grace'])
    await site.operator.call('/api/user', {
      method: 'POST',
      body: { username, password: 'a long password' },
    });
});
afterAll(() => site.stop());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('an admin adds quota and sees the sum, and actions forbidden by rank are not offered', async () => {
  const { page } = site;
  await page.goto('/user');
  const row = page.locator('tr[data-row]').filter({ hasText: 'ada' });
  await row.waitFor();
  await row.getByRole('button', { name: /更多/ }).click();
  await page.getByRole('menuitem', { name: '添加额度' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('textbox', { name: '额度', exact: true })
    .or(dialog.getByRole('spinbutton', { name: '额度', exact: true }))
    .fill('1000000');
  await expect.poll(() => dialog.locator('.user-sum').textContent()).toContain('$2');
  await button(page, '确定').click();
  await page.locator('.toast').filter({ hasText: '额度已更新' }).waitFor();
  expect(site.visit.problems).toEqual([]);
});

test('many accounts are moved, given quota, banned and closed together, and those of too high a role are left out', async () => {
  const { page } = site;
  for (const username of ['many-one', 'many-two'])
    await site.operator.call('/api/user', {
      method: 'POST',
      body: { username, password: 'a long password' },
    });
  const read = async (username: string) => {
    const { items } = (await site.operator.call(`/api/user/search?keyword=${username}`)) as {
      items: { group: string; quota: number; status: number; DeletedAt: string | null }[];
    };
    return items[0];
  };
  const before = (await read('many-one'))?.quota ?? 0;
  const choose = async (search: string, action: string) => {
    await page.goto(`/user?q=${search}`);
    await page.locator('tr[data-row]').filter({ hasText: 'many-two' }).waitFor();
    await page.locator('thead .checkbox').click();
    await page.getByRole('toolbar').getByRole('button', { name: action, exact: true }).click();
  };
  await choose('many-', '移动分组');
  await page.getByRole('dialog').getByLabel('分组').first().click();
  await page.getByRole('option', { name: 'vip', exact: true }).click();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: '移动分组', exact: true }).click();
  await page.locator('.toast').filter({ hasText: '已移动 2 个账户' }).waitFor();

  await choose('many-', '添加额度');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('额度', { exact: true }).fill('1000');
  await dialog.getByLabel('原因').fill('class of 2026');
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: '添加额度', exact: true }).click();
  await page.locator('.toast').filter({ hasText: '已更新 2 个账户的额度' }).waitFor();
  expect([await read('many-one'), await read('many-two')]).toMatchObject([
    { group: 'vip', quota: before + 1000 },
    { group: 'vip', quota: before + 1000 },
  ]);

  // The super admin is among the rows.
  await choose('', '封禁');
  await page.getByText('因角色或状态，将跳过其中 1 个账户。').waitFor();
  await page.getByRole('button', { name: '取消', exact: true }).click();
  await choose('many-', '注销账户');
  await page.getByText('注销 2 个账户？').waitFor();
  await page.getByRole('textbox').last().fill('2');
  await button(page, '注销').click();
  await page.locator('.toast').filter({ hasText: '已注销 2 个账户' }).waitFor();
  expect((await read('many-one'))?.DeletedAt).not.toBeNull();
  expect(site.visit.problems).toEqual([]);
});

test('a user without their second-factor device can sign in with the password after an admin’s reset', async () => {
  const { page } = site;
  const ada = await signIn(site.url, 'ada', 'a long password');
  const { secret } = (await ada.call('/api/user/2fa/setup', { method: 'POST' })) as { secret: string };
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await ada.call('/api/user/2fa/enable', { method: 'POST', body: { code } });
  await page.goto('/user');
  const row = page.locator('tr[data-row]').filter({ hasText: 'ada' });
  const choose = async () => {
    await row.getByRole('button', { name: /更多/ }).click();
    await page.getByRole('menuitem', { name: '重置两步验证' }).click();
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await dialog.getByText('重置 ada 的两步验证？').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await button(page, '重置两步验证').click();
  };
  await choose();
  await page.locator('.toast').filter({ hasText: '两步验证已重置' }).waitFor();
  await expect(ada.call('/api/user/self')).rejects.toThrow('answered 401');
  const again = await signIn(site.url, 'ada', 'a long password');
  expect(await again.call('/api/user/2fa')).toMatchObject({ enabled: false });
  await choose();
  await page.locator('.toast').filter({ hasText: '该用户未启用两步验证' }).waitFor();
  expect(site.visit.problems).toEqual([]);
});

test.each([
  { language: 'zh', theme: 'light', isPhone: false },
  { language: 'en', theme: 'dark', isPhone: true },
] as const)('users and personal settings are clean in %o', async (look) => {
  const visit = await site.open(look);
  const { page } = visit;
  for (const [name, path, sign] of [
    ['users', '/user', '.user-initial'],
    ['personal', '/setting?tab=personal', '.personal-figures'],
  ] as const) {
    await moveTo(page, path);
    await page.locator(sign).first().waitFor();
    expect([name, await accessibilityProblems(page)]).toEqual([name, []]);
  }
  expect(visit.problems).toEqual([]);
  await visit.close();
});
