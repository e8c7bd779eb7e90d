import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../config.ts';
import { sha256 } from './sessions.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import { createCaller, type Got } from '../../../http/testing/caller.ts';
import { PASSWORD, type Stage, setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';

/** Guessing a password is slowed down, but never for its owner. Here there is one try instead of the usual five. */

const folder = temporaryFolder();
const EVERYWHERE = 20;
let server: RunningServer;
let stage: Stage;

const start = async (): Promise<void> => {
  const environment = {
    ...testEnvironment(folder.path),
    TOLLGATE_LOGIN_LIMIT_PER_ACCOUNT: '1',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  server = await startServer(readConfig(environment), { log: keptLog() });
  stage = await setStage(server);
};
beforeAll(start);
afterAll(async () => {
  await server.stop();
  folder.remove();
});

interface Door {
  readonly from: string;
  readonly device?: string;
}

const signIn = (username: string, password: string, { from, device = '' }: Door): Promise<Got> =>
  createCaller(server.url)('/api/user/login', {
    method: 'POST',
    body: { username, password },
    headers: { 'X-Forwarded-For': from, ...(device === '' ? {} : { Cookie: `device=${device}` }) },
  });
const deviceOf = (got: Got): string =>
  got.headers
    .getSetCookie()
    .map((cookie) => /^device=([^;]+)/.exec(cookie)?.[1])
    .find((value) => value !== undefined) ?? '';
let addresses = 0;
const anywhere = (): Door => ({ from: `198.51.${Math.floor((addresses += 1) / 250)}.${addresses % 250}` });
/** Guesses of many strangers, counted without the work of being wrong. */
const besiege = async (name: string, guesses = EVERYWHERE): Promise<void> => {
  for (let guess = 0; guess < guesses; guess += 1)
    await server.parts.guesses.count({ name, ip: anywhere().from, device: undefined });
};
const knownDevice = async (username: string): Promise<string> => {
  const got = await signIn(username, PASSWORD, anywhere());
  expect(got.success).toBe(true);
  return deviceOf(got);
};

describe('guesses at a password', () => {
  it('count for the account, however its name is spelled', async () => {
    await stage.person('Hopper');
    const from = '203.0.113.77';
    const spelled = ['hopper', 'HOPPER', 'hорреr', ' ｈopper', 'Hopper'];
    const answers = [];
    for (const name of spelled) answers.push((await signIn(name, 'wrong', { from })).status);
    expect(answers).toEqual([200, 429, 429, 429, 429]);
  });

  it('of a stranger lock out the stranger, not the owner elsewhere', async () => {
    await stage.person('root', 100);
    const stranger = { from: '203.0.113.9' };
    const answers = [];
    for (let guess = 0; guess < 8; guess += 1) answers.push((await signIn('root', 'wrong', stranger)).status);
    expect(answers).toEqual([200, 429, 429, 429, 429, 429, 429, 429]);
    expect((await signIn('root', PASSWORD, stranger)).status).toBe(429);
    expect((await signIn('root', PASSWORD, { from: '203.0.113.10' })).data).toMatchObject({
      username: 'root',
    });
  });

  it.each([
    ['in capitals', 'Written', '203.0.113.20'],
    ['with wide letters', 'ｗｒｉｔｔｅｎ', '203.0.113.20'],
    ['with spaces around', ' written ', '203.0.113.20'],
    ['from another address of the same customer', 'written', '2001:db8:0:1::2'],
  ])('are the same guess %s', async (_, name, from) => {
    const first = { from: from.includes(':') ? '2001:db8:0:1::1' : from };
    await stage.person('written').catch(() => undefined);
    await signIn('written', 'wrong', first);
    expect((await signIn(name, 'wrong', { from })).status).toBe(429);
  });

  it('from many addresses are limited together, after a restart too; a known browser still gets in', async () => {
    await stage.person('besieged');
    const device = await knownDevice('besieged');
    for (let guess = 0; guess < EVERYWHERE; guess += 1)
      expect([guess, (await signIn('besieged', 'wrong', anywhere())).status]).toEqual([guess, 200]);
    expect((await signIn('besieged', 'wrong', anywhere())).status).toBe(429);
    await server.stop();
    await start();
    const locked = await signIn('besieged', PASSWORD, anywhere());
    expect([locked.status, locked.headers.getSetCookie()]).toEqual([429, []]);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect((await signIn('besieged', PASSWORD, { ...anywhere(), device })).data).toMatchObject({
      username: 'besieged',
    });
    // Its owner being here says nothing for the strangers.
    expect((await signIn('besieged', 'wrong', anywhere())).status).toBe(429);
  });

  it('at an unknown name are answered and counted like those at a known one', async () => {
    await stage.person('somebody');
    const answersFor = async (name: string) => {
      const answers = [];
      await besiege(name, EVERYWHERE - 2);
      for (let guess = 0; guess < 3; guess += 1) {
        const { status, text, headers } = await signIn(name, 'wrong', anywhere());
        answers.push([status, text, headers.getSetCookie()]);
      }
      return answers;
    };
    expect(await answersFor('nobody-is')).toEqual(await answersFor('somebody'));
  });

  it('of a stranger do not keep the signed-in owner from confirming their identity', async () => {
    const owner = await stage.person('proving');
    const call = stage.caller(await stage.session(owner));
    await besiege('proving');
    const confirm = (password: string) => call('/api/user/confirm', { method: 'POST', body: { password } });
    expect((await confirm('wrong')).success).toBe(false);
    expect((await confirm(PASSWORD)).status).toBe(429);
    const other = stage.caller(await stage.session(await stage.person('proving2')));
    expect((await other('/api/user/confirm', { method: 'POST', body: { password: PASSWORD } })).success).toBe(
      true,
    );
  });
});

it('a password reset by mail signs in, however many guesses came before', async () => {
  const owner = await stage.person('mailed');
  const { identities, tickets } = server.parts.stores;
  await identities.setEmail(owner.id, 'mailed@site.example');
  const times = { nowMs: Date.now(), expiresAtMs: Date.now() + 60_000 };
  const key = sha256('the token of a mail');
  const passwordHash = await server.parts.stores.users.passwordHashOf(owner.id);
  const forgotten = sha256(JSON.stringify(['mailed@site.example', passwordHash]));
  await tickets.put({ kind: 'password-reset', key, value: `${owner.id} ${forgotten}`, ...times });
  await tickets.put({ kind: 'password-reset-newest', key: String(owner.id), value: key, ...times });
  const here = { from: '203.0.113.50' };
  const names = ['mailed', 'mailed@site.example'];
  for (const name of names) {
    await signIn(name, 'wrong', here);
    await besiege(name, EVERYWHERE - 1);
    expect((await signIn(name, PASSWORD, here)).status).toBe(429);
  }
  const confirmed = await createCaller(server.url)('/api/user/reset', {
    method: 'POST',
    body: { email: 'mailed@site.example', token: 'the token of a mail' },
    headers: { 'X-Forwarded-For': here.from },
  });
  for (const name of names) expect((await signIn(name, String(confirmed.data), here)).success).toBe(true);
});

describe('a browser that is known', () => {
  it('has few guesses as well, from whatever address', async () => {
    await stage.person('borrowed');
    const device = await knownDevice('borrowed');
    const statuses = [];
    for (let guess = 0; guess < 3; guess += 1)
      statuses.push((await signIn('borrowed', 'wrong', { ...anywhere(), device })).status);
    expect(statuses).toEqual([200, 429, 429]);
  });

  it('is one of this account only, unchanged, and under this password', async () => {
    const target = await stage.person('target');
    await stage.person('another');
    const theirs = await knownDevice('another');
    const own = await knownDevice('target');
    await besiege('target');
    const [number = '', mark = ''] = own.split('.');
    const [theirNumber = ''] = theirs.split('.');
    for (const device of [
      theirs,
      `${theirNumber}.${mark}`,
      `${number}.${'A'.repeat(43)}`,
      `${number}.`,
      number,
      `${own}${mark}`,
      'x',
    ])
      expect([device, (await signIn('target', PASSWORD, { ...anywhere(), device })).status]).toEqual([
        device,
        429,
      ]);
    const hash = await server.parts.passwords.hash('another good password');
    await server.parts.stores.users.setPasswordHash(target.id, hash);
    expect((await signIn('target', 'another good password', { ...anywhere(), device: own })).status).toBe(
      429,
    );
  });

  it('may be known to several accounts, and forgets the one of longest ago', async () => {
    const names = Array.from({ length: 6 }, (_, at) => `family${at}`);
    let device = '';
    for (const name of names) {
      await stage.person(name);
      device = deviceOf(await signIn(name, PASSWORD, { ...anywhere(), device }));
    }
    for (const name of ['family0', 'family1']) await besiege(name);
    const statusOf = async (name: string) => (await signIn(name, PASSWORD, { ...anywhere(), device })).status;
    expect([await statusOf('family0'), await statusOf('family1')]).toEqual([429, 200]);
  });

  it('is told in a cookie that no script and no other site sees, and lets nobody in', async () => {
    const user = await stage.person('cookie');
    const got = await createCaller(server.url)('/api/user/login', {
      method: 'POST',
      body: { username: 'cookie', password: PASSWORD },
      headers: { 'X-Forwarded-For': '203.0.113.77', 'X-Forwarded-Proto': 'https' },
    });
    const cookie = got.headers.getSetCookie()[1] ?? '';
    expect(cookie).toMatch(
      /^__Host-device=[\w-]{22}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=31536000; Secure$/,
    );
    const value = cookie.split(/[=;]/)[1] ?? '';
    const self = createCaller(server.url, { Cookie: `device=${value}`, 'New-Api-User': String(user.id) });
    expect((await self('/api/user/self')).status).toBe(401);
  });

  it('stays known where its owner changes the password there', async () => {
    const owner = await stage.person('changing');
    const call = stage.caller(await stage.session(owner));
    const changed = await call('/api/user/self', {
      method: 'PUT',
      body: { password: 'the next good one', original_password: PASSWORD },
    });
    await besiege('changing');
    const device = deviceOf(changed);
    expect((await signIn('changing', 'the next good one', { ...anywhere(), device })).success).toBe(true);
  });
});
