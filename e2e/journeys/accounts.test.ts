import { createHash, createHmac } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountSite, BOT_TOKEN, startAccountSite } from '../support/account-services.ts';
import { sharedBrowser } from '../support/chromium.ts';
import {
  accessibilityProblems,
  type ConsoleVisit,
  visitAsStranger,
  visitConsole,
} from '../support/console-visit.ts';
import { rootPassword, setOption } from '../support/operator.ts';

/** Sign-in by password and by other services, and personal settings, in a real browser. */

const PASSWORD = 'a long password';
let site: AccountSite;
let browser: Browser;
/** Two users who stay signed in, one in each language. */
let ada: ConsoleVisit;
let grace: ConsoleVisit;

beforeAll(async () => {
  site = await startAccountSite();
  for (const username of ['ada', 'grace', 'leaver'])
    await site.operator.call('/api/user', { method: 'POST', body: { username, password: PASSWORD } });
  browser = await sharedBrowser();
  [ada, grace] = await Promise.all([visit('ada', { language: 'en' }), visit('grace')]);
});
afterAll(async () => {
  await Promise.all([ada.close(), grace.close()]);
  await site.stop();
});

const visit = (username: string, options: object = {}): Promise<ConsoleVisit> =>
  visitConsole(browser, {
    url: site.tollgate.url,
    username,
    password: username === 'root' ? rootPassword : PASSWORD,
    language: 'zh',
    isOwn: false,
    ...options,
  });
const stranger = (): Promise<ConsoleVisit> =>
  visitAsStranger(browser, { url: site.tollgate.url, language: 'zh', isOwn: false });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const toast = (page: Page, text: string | RegExp) =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor();
const dialogOf = (page: Page) => page.getByRole('dialog');
/** A row in the list of bound services. */
const binding = (page: Page, name: string) =>
  page
    .getByRole('region', { name: /账户绑定|Linked accounts/ })
    .locator('.personal-row')
    .filter({ hasText: name });

/** Clicks a service's button, signs in at the service, and follows the redirect back. */
const follow = async (page: Page, name: string): Promise<Page> => {
  const [away] = await Promise.all([page.context().waitForEvent('page'), button(page, name).click()]);
  return away;
};

test('a test mail is sent from the settings, and an error of the mail server is shown in its own words', async () => {
  const { page, problems, close } = await visit('root');
  await page.goto('/setting?tab=system');
  await button(page, '发送测试邮件').click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('收件邮箱').fill('refused@example.com');
  await button(page, '发送').click();
  await dialog.getByText(/邮件发送失败：.*No such mailbox/).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByLabel('收件邮箱').fill('ops@example.com');
  await button(page, '发送').click();
  await toast(page, '邮件服务器已接收测试邮件');
  expect((await site.mail.mails()).at(-1)?.to).toEqual(['ops@example.com']);
  expect(problems).toEqual([]);
  await close();
});

test('registration takes an invite code and leads to login, which warns about a default password and leads to the tokens', async () => {
  const { page, close } = await stranger();
  await page.goto('/register');
  await page.locator('input[name=username]').fill('newcomer');
  await page.locator('input[name=password]').fill('12345678');
  await page.locator('input[name=password2]').fill('12345678');
  await button(page, '我有邀请码').click();
  await page.getByLabel('邀请码').fill(` ${String(await site.operator.call('/api/user/aff'))} `);
  await page.locator('button[type=submit]').click();
  await page.getByRole('heading', { name: '登录', exact: true }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/login');
  await page.locator('input[name=username]').fill('newcomer');
  await page.locator('input[name=password]').fill('12345678');
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/\/token/);
  await toast(page, /默认密码/);
  expect(await site.operator.call('/api/user/self')).toMatchObject({ aff_count: 1 });
  await close();
});

test('a new user signs in with GitHub, and sees an error if the service does not confirm the identity', async () => {
  await site.services.next({ id: '7001', username: 'octo-new', fault: 'denied' });
  const { page, close } = await stranger();
  await page.goto('/login');
  const away = await follow(page, '使用 GitHub 继续');
  await toast(away, /GitHub 未能确认你的身份：the user said no/);
  await away.waitForURL(/\/login/);
  await site.services.next({ id: '7001', username: 'octo-new' });
  const back = await follow(page, '使用 GitHub 继续');
  await back.waitForURL(/\/token/);
  expect(await back.evaluate('JSON.parse(localStorage.user).username')).toBe('octo-new');
  // The parameters of the redirect are removed from the address.
  await expect.poll(() => new URL(back.url()).searchParams.has('code')).toBe(false);
  await close();
});

test.each([
  ['LinuxDO', '7003'],
  ['Discord', '7004'],
])('somebody new signs in with %s, and is the same the next time', async (service, id) => {
  const username = `new-${service.toLowerCase()}`;
  await site.services.next({ id, username });
  const { page, close } = await stranger();
  await page.goto('/login');
  const ids: unknown[] = [];
  for (const path of ['/register', '/login']) {
    await page.goto(path);
    const back = await follow(page, `使用 ${service} 继续`);
    await back.waitForURL(/\/token/);
    const user = await back.evaluate('JSON.parse(localStorage.user)');
    expect(user).toMatchObject({ username });
    ids.push((user as { id: number }).id);
    await back.request.get('/api/user/logout');
    await back.evaluate('localStorage.removeItem("user")');
    await back.close();
  }
  expect(ids[0]).toBe(ids[1]);
  await close();
});

test('OIDC is bound, signs in, cannot be bound by another user, and is unbound', async () => {
  await site.services.next({ id: '7002', username: 'oidc-ada' });
  const { page, problems } = ada;
  await page.goto('/setting?tab=personal');
  const away = await follow(page, 'Link OIDC');
  await toast(away, 'Linked');
  await away.waitForURL(/\/setting/);
  await away.close();

  const { page: other, close } = await stranger();
  await other.goto('/login');
  const back = await follow(other, '使用 OIDC 继续');
  await back.waitForURL(/\/token/);
  expect(await back.evaluate('JSON.parse(localStorage.user).username')).toBe('ada');
  await close();

  await grace.page.goto('/setting?tab=personal');
  const taken = await follow(grace.page, '绑定 OIDC');
  await toast(taken, '该 OIDC 账户已被其他用户绑定');
  await taken.close();

  await page.reload();
  await binding(page, 'OIDC').getByText('7002').waitFor();
  await button(page, 'Unlink OIDC').click();
  await dialogOf(page).getByRole('button', { name: 'Unlink', exact: true }).click();
  await binding(page, 'OIDC').getByText('Not linked').waitFor();
  expect(problems).toEqual([]);
});

test('an e-mail address is bound with the mailed code, and the button is disabled for 30 seconds', async () => {
  const { page, problems } = ada;
  await page.goto('/setting?tab=personal');
  await button(page, 'Link email address').click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Email address').fill('ada@example.com');
  const send = dialog.locator('.code-field button');
  await send.click();
  await expect.poll(() => send.textContent()).toMatch(/Resend in \d+ s/);
  const seconds = Number(/\d+/.exec((await send.textContent()) ?? '')?.[0]);
  expect([await send.isDisabled(), seconds > 15 && seconds <= 30]).toEqual([true, true]);
  const text = (await site.mail.mails()).findLast(({ to }) => to.includes('ada@example.com'))?.text ?? '';
  await dialog.getByLabel('Verification code').fill(/^(\d{6})\r?$/m.exec(text)?.[1] ?? '');
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.locator('button[type=submit]').click();
  await binding(page, 'ada@example.com').waitFor();
  expect(problems).toEqual([]);
});

test('WeChat is bound with the code from its official account, shown beside its QR code', async () => {
  const { page } = grace;
  await page.goto('/setting?tab=personal');
  await button(page, '绑定 WeChat').click();
  const dialog = dialogOf(page);
  expect(await dialog.getByRole('img', { name: '公众号二维码' }).getAttribute('src')).toBe(
    `${site.services.url}/qr.png`,
  );
  await dialog.getByRole('textbox').fill('9999');
  await dialog.locator('button[type=submit]').click();
  await dialog.getByText('微信验证码错误或已过期').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('textbox').fill('1234');
  await dialog.locator('button[type=submit]').click();
  await binding(page, 'WeChat').getByText('wx-open-id').waitFor();
});

/** The data that the widget returns once its user has agreed. */
const telegramAnswer = (id: string): string => {
  const fields: Record<string, string> = {
    id,
    first_name: 'Grace',
    auth_date: String(Math.floor(Date.now() / 1000)),
  };
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join('\n');
  const key = createHash('sha256').update(BOT_TOKEN).digest();
  const hash = createHmac('sha256', key).update(text).digest('hex');
  return new URLSearchParams({ ...fields, hash }).toString();
};

test('Telegram is bound by its widget, which gets the bot name and the return address, and by no link of others', async () => {
  const { page } = grace;
  // The widget is a script of Telegram that redirects the browser with signed data.
  await page.route('https://telegram.org/**', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `const { authUrl, telegramLogin } = document.currentScript.dataset;
        if (telegramLogin === 'gate_bot') location.href = authUrl + '&${telegramAnswer('4242')}';`,
    }),
  );
  // Somebody else's, behind a link that this user has followed.
  await page.goto(`/oauth/telegram?purpose=bind&${telegramAnswer('666')}`);
  await toast(page, '这次登录不是从这里发起的，请重新开始');
  await page.goto('/setting?tab=personal');
  await button(page, '绑定 Telegram').click();
  await toast(page, '绑定成功');
  await page.goto('/setting?tab=personal');
  await expect.poll(() => binding(page, 'Telegram').textContent()).toContain('4242');
});

test('the password is changed with the old one, and every other session ends', async () => {
  const other = await visit('grace');
  const { page, problems } = grace;
  await page.goto('/setting?tab=personal');
  await button(page, '修改密码').click();
  const dialog = dialogOf(page);
  const fields = dialog.locator('input[type=password]');
  const change = async (values: readonly string[]): Promise<void> => {
    for (const [at, value] of values.entries()) await fields.nth(at).fill(value);
    await dialog.locator('button[type=submit]').click();
  };
  await change([PASSWORD, 'a new password', 'another password']);
  await dialog.getByText('两次输入的密码不一致').waitFor();
  await change(['not the old one', 'a new password', 'a new password']);
  await dialog.getByRole('alert').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await change([PASSWORD, 'a new password', 'a new password']);
  await dialog.waitFor({ state: 'detached' });
  await other.page.goto('/token');
  await other.page.waitForURL(/\/login/);
  await page.goto('/token');
  await page.getByRole('heading', { name: '令牌', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/token');
  expect(problems).toEqual([]);
  await other.close();
});

test('an account is deleted after its name was typed, and cannot sign in any more', async () => {
  const { page, close } = await visit('leaver');
  await page.goto('/setting?tab=personal');
  await button(page, '删除个人账户').click();
  const dialog = dialogOf(page);
  const submit = dialog.locator('button[type=submit]');
  await dialog.getByRole('textbox').fill('somebody');
  await expect.poll(() => submit.isDisabled()).toBe(true);
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('textbox').fill('leaver');
  await submit.click();
  await page.waitForURL(/\/login/);
  await page.locator('input[name=username]').fill('leaver');
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.getByRole('alert').waitFor();
  await close();
});

test('while the human check has no answer, the page asks to try again in a few seconds, and loads it again', async () => {
  await setOption(site.operator, 'TurnstileSiteKey', 'site');
  await setOption(site.operator, 'TurnstileSecretKey', 'simulated-secret');
  await setOption(site.operator, 'TurnstileCheckEnabled', true);
  const { page, close } = await stranger();
  await page.route('https://challenges.cloudflare.com/**', (route) => route.abort());
  await Promise.all([page.goto('/login'), page.getByText('人机验证失败').waitFor()]);
  await page.locator('input[name=username]').fill('ada');
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.getByText('请稍后几秒重试，Turnstile 正在检查用户环境').waitFor();
  await expect.poll(() => page.locator('.toast').innerText()).toMatch(/^人机验证失败.*\n×2$/);
  await close();
});
