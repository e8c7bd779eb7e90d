import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { type MailServer, startMailServer, type TakenMail } from '../../../../simulator/mail/start.ts';
import { readConfig } from '../../../config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import type { Caller, Got } from '../../../http/testing/caller.ts';
import { type Stage, setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';

const folder = temporaryFolder();
const log = keptLog();
let server: RunningServer;
let mailServer: MailServer;
let stage: Stage;
let anybody: Caller;

beforeAll(async () => {
  mailServer = await startMailServer(['--plain']);
  server = await startServer(readConfig(testEnvironment(folder.path)), { log });
  stage = await setStage(server);
  await stage.person('root', role.root);
  anybody = stage.caller();
});
afterAll(async () => {
  await server.stop();
  await mailServer.stop();
  folder.remove();
});

const set = async (options: Readonly<Record<string, string>>): Promise<void> => {
  for (const [key, value] of Object.entries(options))
    await server.parts.stores.options.set(key, value, Date.now());
  await server.parts.refreshRouting();
};
const configure = () =>
  set({
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mailServer.port),
    SMTPFrom: 'gate@site.example',
    ServerAddress: 'https://gate.example',
  });
const ask = (email: string, language = 'en'): Promise<Got> =>
  anybody(`/api/reset_password?email=${encodeURIComponent(email)}&turnstile=`, {
    headers: { 'Accept-Language': language },
  });
const confirm = (email: string, token: string, language = 'en') =>
  anybody('/api/user/reset', {
    method: 'POST',
    body: { email, token },
    headers: { 'Accept-Language': language },
  });
const mailsTo = async (email: string): Promise<readonly TakenMail[]> =>
  (await mailServer.mails()).filter(({ to }) => to.includes(email));
/** The mail is sent after the answer. */
const linkTo = async (email: string, count = 1): Promise<URL> => {
  const mails = await expect
    .poll(() => mailsTo(email))
    .toHaveLength(count)
    .then(() => mailsTo(email));
  // Quoted-printable, as mail is.
  const text = (mails.at(-1)?.text ?? '').replace(/=\r?\n/g, '').replaceAll('=3D', '=');
  return new URL(/https:\/\/gate\.example\/user\/reset\?[\w=&%.@-]+/.exec(text)?.[0] ?? 'none:');
};
let people = 0;
const somebody = async () => {
  const user = await stage.person(`forgetful${(people += 1)}`);
  const email = `${user.username}@site.example`;
  await server.parts.stores.identities.setEmail(user.id, email);
  return { user, email };
};
const signIn = async (username: string, password: string) =>
  (await anybody('/api/user/login', { method: 'POST', body: { username, password } })).success;

describe('a forgotten password', () => {
  it('cannot be mailed about while there is no mail server or no address of the site', async () => {
    const { email } = await somebody();
    for (const address of [email, 'nobody@site.example']) {
      const got = await ask(address, 'zh');
      expect([got.success, got.message]).toEqual([
        false,
        '管理员尚未配置邮件服务器与服务器地址，无法重置密码',
      ]);
    }
    expect((await ask('')).status).toBe(400);
  });

  it('is replaced by way of the mailbox: the new one works, the old one and every session do not', async () => {
    await configure();
    const { user, email } = await somebody();
    const session = stage.caller(await stage.session(user));
    expect((await ask(email)).success).toBe(true);
    const link = await linkTo(email);
    expect(link.searchParams.get('email')).toBe(email);
    const token = link.searchParams.get('token') ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    const password = (await confirm(email, token)).data as string;
    expect(password).toMatch(/^[0-9A-Za-z]{16}$/);
    expect(await signIn(user.username, password)).toBe(true);
    expect(await signIn(user.username, 'a long enough password')).toBe(false);
    expect((await session('/api/user/self')).status).toBe(401);
  });

  it('gives the same answer for an unknown address, and sends no mail to it', async () => {
    const { email } = await somebody();
    const [known, unknown] = [await ask(email), await ask('nobody@site.example')];
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    await linkTo(email);
    expect(await mailsTo('nobody@site.example')).toEqual([]);
  });

  it('has a link that works once, for its own address, and ends with the next one', async () => {
    const { user, email } = await somebody();
    const other = await somebody();
    await ask(email);
    const first = (await linkTo(email)).searchParams.get('token') ?? '';
    const refused = await confirm(other.email, first, 'zh');
    expect([refused.status, refused.success, refused.message]).toEqual([200, false, '重置链接非法或已过期']);
    // A link tried with another address is used up, too.
    expect((await confirm(email, first)).success).toBe(false);
    await server.parts.stores.tickets.take('password-reset-newest', String(user.id), Date.now());
    await ask(email);
    const second = (await linkTo(email, 2)).searchParams.get('token') ?? '';
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(email, second)));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
  });

  it('is mailed about at most every thirty seconds, and not at all to a banned account', async () => {
    const { email } = await somebody();
    await Promise.all([ask(email), ask('nobody@site.example')]);
    await linkTo(email);
    await ask(email);
    const banned = await somebody();
    await stage.set(banned.user, { status: 2 });
    await ask(banned.email);
    const { email: last } = await somebody();
    await ask(last);
    await linkTo(last);
    expect(await mailsTo(email)).toHaveLength(1);
    expect(await mailsTo(banned.email)).toEqual([]);
  });

  it('is mailed about again at once if the mail was not sent, and so is a code', async () => {
    const { user } = await somebody();
    await server.parts.stores.identities.setEmail(user.id, 'refused@example.com');
    const unsent = () => log.lines.filter((line) => line.includes('to reset a password was not sent')).length;
    for (const count of [1, 2]) {
      await ask('refused@example.com');
      await expect.poll(unsent).toBe(count);
      const code = await anybody('/api/verification?email=refused@example.com');
      expect(code.message).toContain('the mail could not be sent');
    }
  });

  it('has a link that ends with the address it was mailed to, also for who knows the new one', async () => {
    const { user, email } = await somebody();
    await ask(email);
    const token = (await linkTo(email)).searchParams.get('token') ?? '';
    await server.parts.stores.identities.setEmail(user.id, `moved-${email}`);
    expect((await confirm(`moved-${email}`, token)).success).toBe(false);
    expect((await confirm(email, token)).success).toBe(false);
  });

  it('is mailed about to an address in whatever letters it is typed', async () => {
    const { email } = await somebody();
    await ask(` ${email.toUpperCase()}`);
    const token = (await linkTo(email)).searchParams.get('token') ?? '';
    expect((await confirm(email.toUpperCase(), token)).success).toBe(true);
  });

  it('is mailed about ten times an hour, however often and from wherever it is asked for', async () => {
    const { user, email } = await somebody();
    for (let sent = 1; sent <= 10; sent += 1) {
      await ask(email);
      await linkTo(email, sent);
      await server.parts.stores.tickets.take('password-reset-newest', String(user.id), Date.now());
    }
    await ask(email);
    const { email: last } = await somebody();
    await ask(last);
    await linkTo(last);
    expect(await mailsTo(email)).toHaveLength(10);
  });

  it('has an end: a link of sixteen minutes ago is refused', async () => {
    const { user, email } = await somebody();
    await ask(email);
    const token = (await linkTo(email)).searchParams.get('token') ?? '';
    await server.parts.stores.database.writer
      .updateTable('tickets')
      .set({ expires_at: Date.now() - 60_000 })
      .where('value', 'like', `${user.id} %`)
      .execute();
    expect((await confirm(email, token)).success).toBe(false);
  });

  it('keeps tokens as hashes, and out of the log', async () => {
    const { email } = await somebody();
    await ask(email);
    const token = (await linkTo(email)).searchParams.get('token') ?? 'none';
    const rows = await server.parts.stores.database.writer.selectFrom('tickets').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(log.lines.filter((line) => line.includes(token))).toEqual([]);
  });
});
