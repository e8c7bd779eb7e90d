import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { type MailServer, startMailServer } from '../../../simulator/mail/start.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import type { Caller } from '../testing/caller.ts';
import { type Stage, setStage } from '../testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../testing/test-config.ts';

/**
 * A client controls the `Host` header, so it must not decide where our links lead or which site a passkey belongs to.
 */

const folder = temporaryFolder();
let mail: MailServer;
let server: RunningServer;
let stage: Stage;
let root: Caller;

const EVIL = {
  'X-Forwarded-Host': 'evil.example',
  'X-Original-Host': 'evil.example',
  'X-Host': 'evil.example',
  Forwarded: 'host=evil.example;proto=https',
  'X-Forwarded-Server': 'evil.example',
};

beforeAll(async () => {
  mail = await startMailServer(['--plain']);
  const environment = { ...testEnvironment(folder.path), TRUSTED_PROXIES: '127.0.0.1' };
  server = await startServer(readConfig(environment), { log: keptLog() });
  stage = await setStage(server);
  root = stage.caller(await stage.session(await stage.person('root', role.root)));
  const { id } = await stage.person('forgetful');
  await server.parts.stores.identities.setEmail(id, 'forgetful@site.example');
  await set({
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mail.port),
    SMTPFrom: 'gate@site.example',
    GitHubClientId: 'client',
    GitHubClientSecret: 'secret',
    GitHubOAuthEnabled: 'true',
  });
});
afterAll(async () => {
  await server.stop();
  await mail.stop();
  folder.remove();
});

const set = async (options: Readonly<Record<string, string>>): Promise<void> => {
  for (const [key, value] of Object.entries(options))
    expect((await root('/api/option', { method: 'PUT', body: { key, value } })).message).toBe('');
};

interface Said {
  readonly success: boolean;
  readonly message: string;
  readonly authorize_url?: string;
  readonly data: { readonly rpId?: string } | null;
}
/** Sends a chosen `Host`, as no browser would. */
const ask = (path: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<Said> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${server.url}${path}`,
      { method, headers: { 'Accept-Language': 'en', ...headers }, agent: false },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve(JSON.parse(text) as Said));
      },
    );
    sent.on('error', reject).end();
  });
const redirectOf = ({ authorize_url: url = '' }: Said): string | null =>
  new URL(url).searchParams.get('redirect_uri');
const mailed = async (): Promise<string> =>
  (await mail.mails()).map(({ text }) => text.replace(/=\r?\n/g, '').replaceAll('=3D', '=')).join('\n');

const askReset = (headers: Readonly<Record<string, string>>) =>
  ask('/api/reset_password?email=forgetful@site.example', headers);
const oauth = (headers: Readonly<Record<string, string>>) => ask('/api/oauth/state?provider=github', headers);
const passkey = (headers: Readonly<Record<string, string>>) =>
  ask('/api/user/passkey/login/begin', headers, 'POST');

it('while the site has no address of its own no link is mailed, and only the real Host counts', async () => {
  const got = await askReset({ Host: 'evil.example', ...EVIL });
  expect(got.success).toBe(false);
  expect(await mailed()).toBe('');
  const here = { Host: 'localhost:3000', ...EVIL };
  expect((await passkey(here)).data?.rpId).toBe('localhost');
  expect(redirectOf(await oauth(here))).toBe('http://localhost:3000/oauth/github');
});

it('a trusted proxy decides the caller’s address and scheme, not our own host', async () => {
  const here = { Host: 'gate.example', 'X-Forwarded-Proto': 'https', ...EVIL };
  expect((await passkey(here)).data?.rpId).toBe('gate.example');
  expect(redirectOf(await oauth(here))).toBe('https://gate.example/oauth/github');
});

it('an address of its own decides for mails, passkeys and services, whatever the Host says', async () => {
  await set({ ServerAddress: 'https://gate.example' });
  const there = { Host: 'evil.example', ...EVIL };
  expect((await passkey(there)).data?.rpId).toBe('gate.example');
  expect(redirectOf(await oauth(there))).toBe('https://gate.example/oauth/github');
  expect((await askReset(there)).success).toBe(true);
  expect((await ask('/api/verification?email=new@site.example', there)).message).toBe('');
  await expect.poll(mailed).toContain('https://gate.example/user/reset?');
  expect(await mailed()).toMatch(/^\d{6}\r?$/m);
  expect(await mailed()).not.toContain('evil');
});

it.each([
  'evil.example/x',
  'a b',
  '',
  'gate.example:443@evil.example',
  'evil.example\\@gate.example',
  '[::1',
])('a Host of %j changes nothing of that', async (host) => {
  const begun = await oauth({ Host: host });
  const leadsTo = begun.authorize_url === undefined ? 'nowhere' : redirectOf(begun);
  expect(['nowhere', 'https://gate.example/oauth/github']).toContain(leadsTo);
  expect((await passkey({ Host: host })).data?.rpId ?? 'gate.example').toBe('gate.example');
});
