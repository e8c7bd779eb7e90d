import { once } from 'node:events';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailPage } from '#core/mail-page.ts';
import { type MailServer, startMailServer } from '../../simulator/mail/start.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

let plain: MailServer;
let upgrading: MailServer;
let tls: MailServer;

beforeAll(async () => {
  [plain, upgrading, tls] = await Promise.all([
    startMailServer(['--plain']),
    startMailServer(),
    startMailServer(['--tls']),
  ]);
});
afterAll(() => Promise.all([plain, upgrading, tls].map((server) => server.stop())));

const openSocket = async (host: string, port: number): Promise<Socket> => {
  const socket = connect({ host, port });
  await once(socket, 'connect');
  return socket;
};

const account = { SMTPAccount: 'user', SMTPToken: 'simulated-password' };
const mailer = (server: MailServer, changes: object = {}, trusts = true, more: object = {}) =>
  createSmtpMailer({
    openSocket,
    ...more,
    options: () => ({
      SMTPServer: '127.0.0.1',
      SMTPPort: server.port,
      SMTPAccount: '',
      SMTPFrom: 'gate@example.com',
      SMTPToken: '',
      SMTPSSLEnabled: false,
      SystemName: 'Gate',
      ...changes,
    }),
    ...(trusts ? { trustedRoots: server.root } : {}),
  });
const mail = (to = 'ada@example.com') =>
  mailPage(
    { to, siteName: 'Gate', language: 'zh' },
    { subject: '验证码', lines: ['<b>代码</b>'], code: '123456' },
  );
const said = (work: Promise<void>) =>
  work.then(
    () => 'sent',
    (error: Error) => error.message,
  );

describe('mail over SMTP', () => {
  it('arrives with its sender, its receiver, its text and its HTML', async () => {
    await mailer(plain).send(mail());
    const taken = (await plain.mails()).at(-1);
    expect(taken).toMatchObject({
      from: 'gate@example.com',
      to: ['ada@example.com'],
      user: '',
      secure: false,
    });
    expect(taken?.text).toContain('From: Gate <gate@example.com>');
    expect(taken?.text).toContain('Content-Type: text/plain');
    expect(taken?.text).toContain('Content-Type: text/html');
  });

  it('goes over TLS where the server offers it, and signs in there', async () => {
    await mailer(upgrading, account).send(mail());
    expect((await upgrading.mails()).at(-1)).toMatchObject({ secure: true, user: 'user' });
  });

  it('speaks TLS from the first byte where that is forced', async () => {
    await mailer(tls, { ...account, SMTPSSLEnabled: true }).send(mail());
    expect((await tls.mails()).at(-1)).toMatchObject({ secure: true, user: 'user' });
  });

  it('gives up on a server that stops answering', async () => {
    const answer = await said(mailer(plain, {}, true, { timeoutMs: 300 }).send(mail('silent@example.com')));
    expect(answer).toBe('the mail was not sent: no answer within 1 s');
  });

  it('says how each address of the mail server failed, where it has several', async () => {
    const toBoth = () =>
      new Promise<Socket>((_, reject) => {
        const lookup: LookupFunction = (_host, _options, tell) =>
          tell(
            null,
            ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 })),
          );
        connect({ host: 'mail.example', port: 1, lookup }).once('error', reject);
      });
    expect(await said(mailer(plain, {}, true, { openSocket: toBoth }).send(mail()))).toBe(
      'the mail was not sent: connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1',
    );
  });

  it('never trusts a certificate nobody vouches for', async () => {
    const before = (await tls.mails()).length + (await upgrading.mails()).length;
    for (const [server, SMTPSSLEnabled] of [
      [tls, true],
      [upgrading, false],
    ] as const) {
      const answer = await said(mailer(server, { ...account, SMTPSSLEnabled }, false).send(mail()));
      expect(answer).toMatch(/the mail was not sent: .*(self-signed|certificate)/);
    }
    expect((await tls.mails()).length + (await upgrading.mails()).length).toBe(before);
  });

  it('says what the server said, without the password, and that none is set up', async () => {
    expect(await said(mailer(plain).send(mail('refused@example.com')))).toContain('No such mailbox');
    const wrong = await said(mailer(upgrading, { ...account, SMTPToken: 'not-the-password' }).send(mail()));
    expect(wrong).toContain('Invalid username or password');
    expect(wrong).not.toContain('not-the-password');
    expect(await said(mailer(plain, { SMTPServer: '' }).send(mail()))).toContain('has not set up');
    expect([mailer(plain).isReady(), mailer(plain, { SMTPFrom: '' }).isReady()]).toEqual([true, false]);
  });
});
