import { createHash, createHmac } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { type MailServer, startMailServer } from '../../../../simulator/mail/start.ts';
import { readConfig } from '../../../config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import { type Caller, createCaller } from '../../../http/testing/caller.ts';
import { createSoftwareAuthenticator } from '../../../http/testing/software-authenticator.ts';
import { PASSWORD, type Stage, setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';

/** Somebody in a stolen session changes how the account is entered: its owner hears of it. */

const NEW_PASSWORD = 'another horse battery';

const folder = temporaryFolder();
let server: RunningServer;
let mailServer: MailServer;
let stage: Stage;
let origin = '';
let people = 0;

const set = async (options: Readonly<Record<string, string>>): Promise<void> => {
  for (const [key, value] of Object.entries(options))
    await server.parts.stores.options.set(key, value, Date.now());
  await server.parts.refreshRouting();
};

beforeAll(async () => {
  mailServer = await startMailServer(['--plain']);
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  origin = server.url.replace('127.0.0.1', 'localhost');
  await set({
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mailServer.port),
    SMTPFrom: 'gate@site.example',
    DefaultLanguage: 'en',
  });
});
afterAll(async () => {
  await server.stop();
  await mailServer.stop();
  folder.remove();
});

/** Quoted-printable, as mail is. */
const decoded = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
const mailsTo = async (email: string): Promise<string[]> =>
  (await mailServer.mails()).filter(({ to }) => to.includes(email)).map(({ text }) => decoded(text));
const isTold = (email: string, words: string) =>
  expect.poll(async () => (await mailsTo(email)).join('\n')).toContain(words);

const somebody = async (): Promise<{ user: User; email: string; call: Caller }> => {
  const user = await stage.person(`owner${(people += 1)}`);
  const email = `${user.username}@site.example`;
  await server.parts.stores.identities.setEmail(user.id, email);
  return { user, email, call: createCaller(origin, await stage.session(user)) };
};
const changePassword = (call: Caller, password: string, original_password: string) =>
  call('/api/user/self', { method: 'PUT', body: { password, original_password } });

describe('the owner is told', () => {
  it('of a new password, at the address of the account, wherever other notices go', async () => {
    const { user, email, call } = await somebody();
    const elsewhere = { notification_email: 'thief@site.example' };
    expect((await call('/api/user/setting', { method: 'PUT', body: elsewhere })).message).toBe('');
    expect((await changePassword(call, NEW_PASSWORD, PASSWORD)).message).toBe('');
    await isTold(email, `Your password was changed (account ${user.username}).`);
    expect(await mailsTo('thief@site.example')).toEqual([]);
  });

  it('in the language they chose', async () => {
    const { email, call } = await somebody();
    await call('/api/user/setting', { method: 'PUT', body: { language: 'zh' } });
    expect((await changePassword(call, NEW_PASSWORD, PASSWORD)).message).toBe('');
    await isTold(email, '你的密码已更改');
  });

  it('of another address, at the one before', async () => {
    const { email, call } = await somebody();
    const next = `next${people}@site.example`;
    await call(`/api/verification?email=${next}&turnstile=`);
    const [, code = ''] = /\b(\d{6})\b/.exec((await mailsTo(next))[0] ?? '') ?? [];
    expect((await call(`/api/oauth/email/bind?email=${next}&code=${code}`)).message).toBe('');
    await isTold(email, 'Your account has another e-mail address');
    expect(await mailsTo(next)).toHaveLength(1);
  });

  it('of two-step sign-in that is turned off, by whom ever', async () => {
    const { user, email, call } = await somebody();
    const turnOn = async (): Promise<string> => {
      const { secret } = (await call('/api/user/2fa/setup', { method: 'POST' })).data as { secret: string };
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
      const codes = (await call('/api/user/2fa/enable', { method: 'POST', body: { code } })).data as string[];
      return codes[0] ?? '';
    };
    const code = await turnOn();
    expect(await mailsTo(email)).toEqual([]);
    expect((await call('/api/user/2fa/disable', { method: 'POST', body: { code } })).message).toBe('');
    await isTold(email, `Two-step sign-in was turned off (account ${user.username}).`);
  });

  it('of the end of the account, by whom ever, which is in the logs', async () => {
    const [left, closed] = [await somebody(), await somebody()];
    const root = stage.caller(await stage.session(await stage.person('closer', role.root)));
    expect((await left.call('/api/user/self', { method: 'DELETE' })).message).toBe('');
    expect((await root(`/api/user/${closed.user.id}`, { method: 'DELETE' })).message).toBe('');
    for (const { user, email } of [left, closed])
      await isTold(email, `Your account was closed (account ${user.username}).`);
    const { items } = (await root('/api/log?type=3')).data as {
      items: { username: string; content: string }[];
    };
    const ends = items.filter(({ content }) => content.startsWith('closed the account of'));
    expect(ends.map(({ username }) => username)).toEqual(['closer', left.user.username]);
  });

  it('of a passkey', async () => {
    const { email, call } = await somebody();
    const begun = (await call('/api/user/passkey/register/begin', { method: 'POST' })).data as {
      challenge: string;
    };
    const credential = createSoftwareAuthenticator().make({ challenge: begun.challenge, origin });
    const body = { name: 'mine', credential };
    expect((await call('/api/user/passkey/register/finish', { method: 'POST', body })).message).toBe('');
    await isTold(email, 'A passkey was added');
  });

  it('of an access token', async () => {
    const { email, call } = await somebody();
    expect((await call('/api/user/token')).message).toBe('');
    await isTold(email, 'An access token was made');
  });

  it('of an account of another service that signs in from now on', async () => {
    const { email, call } = await somebody();
    const root = stage.caller(await stage.session(await stage.person('binder', role.root)));
    const bot = '123:bot-token';
    for (const [key, value] of Object.entries({
      TelegramBotToken: bot,
      TelegramBotName: 'gate_bot',
      TelegramOAuthEnabled: 'true',
    }))
      expect((await root('/api/option', { method: 'PUT', body: { key, value } })).message).toBe('');
    const fields = { auth_date: String(Math.floor(Date.now() / 1000)), first_name: 'Thief', id: '42' };
    const text = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    const key = createHash('sha256').update(bot).digest();
    const hash = createHmac('sha256', key).update(text.join('\n')).digest('hex');
    const query = new URLSearchParams({ ...fields, hash }).toString();
    expect((await call(`/api/oauth/telegram/bind?${query}`)).message).toBe('');
    await isTold(email, 'An account of another service was bound');
  });

  it('of a password that an admin set, and not of what was refused or changed nothing of the kind', async () => {
    const { user, email, call } = await somebody();
    await changePassword(call, NEW_PASSWORD, 'wrong');
    await call('/api/user/self', { method: 'PUT', body: { display_name: 'Owner' } });
    const root = stage.caller(await stage.session(await stage.person('root', role.root)));
    const body = { id: user.id, password: NEW_PASSWORD };
    expect((await root('/api/user', { method: 'PUT', body })).message).toBe('');
    await isTold(email, 'Your password was changed');
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it('at most ten times an hour, while the operation itself is always done', async () => {
    const { user, email } = await somebody();
    const root = stage.caller(await stage.session(await stage.person('chief', role.root)));
    for (let at = 0; at < 12; at += 1) {
      const body = { id: user.id, password: `${NEW_PASSWORD} ${at}` };
      expect((await root('/api/user', { method: 'PUT', body })).message).toBe('');
    }
    await expect.poll(async () => (await mailsTo(email)).length).toBe(10);
    await set({ SMTPServer: '' });
    const other = await somebody();
    expect((await changePassword(other.call, NEW_PASSWORD, PASSWORD)).message).toBe('');
  });
});
