import { createServer, type Server } from 'node:http';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeToken, type Operator, setOption } from '../support/operator.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { type MailServer, startMailServer } from '../../src/simulator/mail/start.ts';

/** External chat programs and password reset, in Chinese and English. */

const EMAIL = 'root@site.example';

let site: ConsoleSite;
let operator: Operator;
let mailServer: MailServer;
let page: Page;
/** A page that shows the address it was opened with. */
let chatProgram: Server;
let chatUrl: string;

beforeAll(async () => {
  chatProgram = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<title>chat</title><p>opened with ${request.url ?? ''}</p>`);
  });
  chatUrl = await listening(chatProgram);
  mailServer = await startMailServer(['--plain']);
  site = await startConsole({ language: 'zh' });
  ({ operator, page } = site);
});

afterAll(async () => {
  await site.stop();
  await mailServer.stop();
  chatProgram.close();
});

const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const alert = (text: string): Promise<void> => page.getByRole('alert').getByText(text).waitFor();

test('the page explains a missing chat link, an invalid one, and a missing token', async () => {
  await page.goto('/chat/0');
  await alert('请联系管理员配置聊天链接');
  await setOption(operator, 'Chats', [
    { Good: `${chatUrl}/?key={key}&to={address}` },
    { Bad: 'javascript:alert("{key}")' },
  ]);
  await page.goto('/chat/0');
  await alert('当前没有可用的启用令牌');
  await page.waitForURL(/\/token$/);
  await makeToken(operator);
  for (const wrong of ['/chat/1', '/chat/7', '/chat/x']) {
    await page.goto(wrong);
    await alert('聊天链接配置错误，请联系管理员');
    expect(await page.locator('iframe').count()).toBe(0);
  }
});

test('the chat programs are in the menu, and stored in the browser for other pages', async () => {
  await page.goto('/token');
  await button('聊天').click();
  await page.getByRole('link', { name: 'Good' }).waitFor();
  const kept = await page.evaluate(() => localStorage.getItem('chats') ?? '');
  expect(JSON.parse(kept)).toMatchObject([{ Good: expect.any(String) }, { Bad: expect.any(String) }]);
});

test('the key is sent to the chat program only after the user has confirmed the receiver, once', async () => {
  await page.goto('/chat/0');
  await page.getByRole('heading', { name: '将你的令牌交给' }).waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  await button('我知道了，继续').click();
  const frame = page.frameLocator('iframe');
  await frame.getByText(/opened with \/\?key=sk-[0-9A-Za-z]{48}&to=http%3A%2F%2F127/).waitFor();
  const sandbox = await page.locator('iframe').getAttribute('sandbox');
  expect(sandbox).not.toContain('allow-top-navigation');
  await page.goto('/chat');
  await frame.getByText('opened with').waitFor();
  expect(await page.locator('.chat-warning').count()).toBe(0);
});

test('chat2link redirects to the chat program', async () => {
  await setOption(operator, 'ChatLink', chatUrl);
  await page.goto('/chat2link');
  const agree = button('我知道了，继续');
  await agree.or(page.getByText('opened with')).first().waitFor();
  if (await agree.isVisible()) await agree.click();
  await page.waitForURL((url) => url.origin === chatUrl);
  expect(decodeURIComponent(page.url())).toMatch(/#\/\?settings=\{"key":"sk-\w{48}","url":"http/);
});

test('a forgotten password is reset with the mailed link', async () => {
  for (const [key, value] of Object.entries({
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mailServer.port),
    SMTPFrom: 'gate@site.example',
    ServerAddress: site.url,
  }))
    await setOption(operator, key, value);
  await bindEmail();
  const { page: guest, close } = await site.openForStranger({ language: 'zh' });
  await guest.goto('/login');
  await guest.getByRole('link', { name: '忘记密码？' }).click();
  await guest.getByRole('button', { name: '发送重置邮件' }).click();
  await guest.getByText('请输入邮箱地址').first().waitFor();
  await guest.getByRole('textbox', { name: '邮箱地址' }).fill(EMAIL);
  await guest.getByRole('button', { name: '发送重置邮件' }).click();
  await guest.getByRole('button', { name: /重试 \((30|29|28)\)/ }).waitFor();
  expect(await accessibilityProblems(guest)).toEqual([]);
  await guest.goto(await mailedLink());
  await guest.waitForURL(/\/user\/reset$/);
  await guest.getByRole('button', { name: '确认重置密码' }).click();
  await guest.getByText('密码已重置').waitFor();
  await guest.getByRole('button', { name: /复制新密码/ }).click();
  const copied = () => guest.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/^[0-9A-Za-z]{16}$/);
  const password = await copied();
  expect(await accessibilityProblems(guest)).toEqual([]);
  await close();
  const again = await site.open({ password, isPhone: true });
  await again.page.goto('/chat/0');
  await again.page.getByRole('heading', { name: 'Send your token to' }).waitFor();
  expect(await accessibilityProblems(again.page)).toEqual([]);
  expect(again.problems).toEqual([]);
  await again.close();
});

const bindEmail = async (): Promise<void> => {
  await operator.call(`/api/verification?email=${EMAIL}`);
  const text = await mailTo(/\b[0-9A-Za-z]{6}\b<\/p>|^[0-9A-Za-z]{6}\r?$/m);
  const code = /^([0-9A-Za-z]{6})\r?$/m.exec(text)?.[1] ?? '';
  await operator.call(`/api/oauth/email/bind?email=${EMAIL}&code=${code}`);
};

/** The newest mail as text: quoted-printable and HTML decoded as far as needed to find links. */
const newestMail = async (): Promise<string> =>
  ((await mailServer.mails()).at(-1)?.text ?? '')
    .replace(/=\r?\n/g, '')
    .replaceAll('=3D', '=')
    .replaceAll('&amp;', '&');

const mailTo = async (pattern: RegExp): Promise<string> => {
  await expect.poll(newestMail).toMatch(pattern);
  return newestMail();
};

const mailedLink = async (): Promise<string> => {
  const pattern = /http:\/\/127\.0\.0\.1:\d+\/user\/reset\?[\w=&%.@-]+/;
  return pattern.exec(await mailTo(pattern))?.[0] ?? '';
};
