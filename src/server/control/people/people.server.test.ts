import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { type MailServer, startMailServer } from '../../../simulator/mail/start.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { type Caller, createCaller, sessionHeaders } from '../../http/testing/caller.ts';
import { PASSWORD, type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

const folder = temporaryFolder();
let mail: MailServer;
let server: RunningServer;
let stage: Stage;
let rootUser: User;
let root: Caller;
let anonymous: Caller;

const set = (key: string, value: unknown) =>
  root('/api/option', { method: 'PUT', body: { key, value: String(value) } });

beforeAll(async () => {
  mail = await startMailServer(['--plain']);
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  rootUser = await stage.person('root', role.root);
  root = stage.caller(await stage.session(rootUser));
  anonymous = stage.caller();
  await set('SMTPServer', '127.0.0.1');
  await set('SMTPPort', mail.port);
  await set('SMTPFrom', 'gate@example.com');
});
afterAll(async () => {
  await server.stop();
  await mail.stop();
  folder.remove();
});

const codeFor = async (email: string): Promise<string> => {
  const got = await anonymous(`/api/verification?email=${email}`);
  expect(got.message).toBe('');
  const text = (await mail.mails()).findLast(({ to }) => to.includes(email))?.text ?? '';
  return /^(\d{6})\r?$/m.exec(text)?.[1] ?? '';
};

describe('an address', () => {
  const register = (username: string, email: string, verification_code: string) =>
    anonymous('/api/user/register', {
      method: 'POST',
      body: { username, password: PASSWORD, email, verification_code },
    });

  it('is proven by a code, once, and then signs in as well as the name', async () => {
    await set('EmailVerificationEnabled', true);
    await set('EmailDomainRestrictionEnabled', false);
    expect((await register('mary', '', '')).message).toBe('enter an email address');
    const code = await codeFor('mary@example.com');
    expect((await register('mary', 'mary@example.com', '000000')).message).toMatch(/code is wrong/);
    expect((await register('mary', 'Mary@Example.com', code)).success).toBe(true);
    expect((await register('mary2', 'mary@example.com', code)).message).toMatch(/code is wrong/);
    const login = await anonymous('/api/user/login', {
      method: 'POST',
      body: { username: 'MARY@example.com', password: PASSWORD },
    });
    expect(login.data).toMatchObject({ username: 'mary' });
    await set('EmailVerificationEnabled', false);
  });

  it('that has an account answers like one that has none, and only its owner learns of it', async () => {
    const got = await anonymous('/api/verification?email=mary@example.com');
    expect([got.success, got.message]).toEqual([true, '']);
    expect((await mail.mails()).at(-1)?.text).toContain('has an account already');
  });

  it.each([
    ['tags', (at: number) => `full%2B${at}@example.com`],
    ['dots of Gmail', (at: number) => `${'abcdefghijkl'.slice(0, at)}.${'abcdefghijkl'.slice(at)}@gmail.com`],
  ])('gets at most ten mails an hour, whatever %s its name is spelled with', async (_, spelled) => {
    const send = (at: number) => anonymous(`/api/verification?email=${spelled(at)}`);
    for (let at = 1; at <= 10; at += 1) expect((await send(at)).message).toBe('');
    expect((await send(11)).status).toBe(429);
  });

  it('waits 30 seconds between codes, and five wrong tries end one', async () => {
    const code = await codeFor('slow@example.com');
    expect((await anonymous('/api/verification?email=slow@example.com')).message).toMatch(/wait \d+ seconds/);
    const ada = await stage.person('ada-mail');
    const call = stage.caller(await stage.session(ada));
    const bind = (typed: string) => call(`/api/oauth/email/bind?email=slow@example.com&code=${typed}`);
    for (let tries = 0; tries < 5; tries += 1) expect((await bind('111111')).success).toBe(false);
    expect((await bind(code)).success).toBe(false);
  });

  it('is held to the domains and spellings the operator takes', async () => {
    await set('EmailDomainWhitelist', 'example.org');
    await set('EmailDomainRestrictionEnabled', true);
    expect((await anonymous('/api/verification?email=a@example.com')).message).toContain('example.org');
    await set('EmailAliasRestrictionEnabled', true);
    expect((await anonymous('/api/verification?email=a%2Bb@example.org')).message).toContain(
      'may not register',
    );
    await set('EmailDomainRestrictionEnabled', false);
    await set('EmailAliasRestrictionEnabled', false);
  });

  it('gets a test mail', async () => {
    const got = await root('/api/option/test_mail', { method: 'POST', body: { to: 'ops@example.com' } });
    expect(got.message).toBe('');
    expect((await mail.mails()).at(-1)?.to).toEqual(['ops@example.com']);
    const refused = await root('/api/option/test_mail', {
      method: 'POST',
      body: { to: 'refused@example.com' },
    });
    expect(refused.message).toMatch(/the mail was not sent: .*No such mailbox/);
  });
});

describe('managing accounts', () => {
  const manage = (call: Caller, id: number, action: string, more = {}) =>
    call('/api/user/manage', { method: 'POST', body: { id, action, ...more } });

  it.each([
    ['admin', role.admin, 'disable', 'no permission to update users at the same or higher level'],
    ['admin', role.root, 'delete', 'no permission to delete users at the same or higher level'],
    ['admin', role.user, 'promote', 'a regular admin cannot promote users to admin'],
    ['root', role.root, 'disable', 'the super admin cannot be disabled'],
    ['root', role.root, 'delete', 'the super admin cannot be deleted'],
    ['root', role.root, 'demote', 'the super admin cannot be demoted'],
    ['root', role.admin, 'promote', 'this user is an admin already'],
    ['root', role.user, 'demote', 'this user is not an admin'],
    ['admin', role.user, 'demote', 'this user is not an admin'],
  ])('%s on an account of rank %i: %s is refused', async (actor, rank, action, message) => {
    const name = `${actor}-${rank}-${action}`;
    const caller =
      actor === 'root'
        ? root
        : stage.caller(await stage.session(await stage.person(`by-${name}`, role.admin)));
    const target = rank === role.root ? rootUser : await stage.person(`on-${name}`, rank);
    expect((await manage(caller, target.id, action)).message).toBe(message);
  });

  it('an admin cannot create an account of their own rank or above', async () => {
    const admin = stage.caller(await stage.session(await stage.person('maker', role.admin)));
    const make = (call: Caller, username: string, rank: number) =>
      call('/api/user', { method: 'POST', body: { username, password: PASSWORD, role: rank } });
    expect((await make(admin, 'peer', role.admin)).message).toBe('cannot create users at or above own level');
    expect((await make(root, 'king', role.root)).message).toBe('cannot create users at or above own level');
    expect((await make(admin, 'plain', role.user)).data).toMatchObject({ username: 'plain', role: 1 });
  });

  it('a new account has the group it was made with, where there is one, else the default one', async () => {
    const make = (username: string, more: object) =>
      root('/api/user', { method: 'POST', body: { username, password: PASSWORD, ...more } });
    expect((await make('in-no-such', { group: 'vpi' })).message).toBe('there is no group vpi');
    expect((await make('in-vip', { group: 'vip' })).data).toMatchObject({ group: 'vip' });
    expect((await make('in-empty', { group: '' })).data).toMatchObject({ group: 'default' });
  });

  it.each(['disable', 'promote', 'delete'])('%s ends every session at once', async (action) => {
    const target = await stage.person(`gone-${action}`);
    const call = stage.caller(await stage.session(target));
    expect((await call('/api/user/self')).status).toBe(200);
    expect((await manage(root, target.id, action)).success).toBe(true);
    expect((await call('/api/user/self')).status).toBe(401);
  });

  it('a cancelled account stays in the list and takes no further action', async () => {
    const target = await stage.person('cancelled');
    await manage(root, target.id, 'delete');
    const found = await root('/api/user/search?keyword=cancelled');
    expect(found.data).toMatchObject({
      items: [{ username: 'cancelled' }],
      total: 1,
      page: 1,
      page_size: 10,
    });
    expect((found.data as { items: { DeletedAt: string }[] }).items[0]?.DeletedAt).toMatch(/^\d{4}-/);
    for (const action of ['enable', 'promote', 'delete'])
      expect((await manage(root, target.id, action)).message).toBe('this account has been closed');
  });

  it('quota is added and taken as movements, one intent once, never below zero, and named sums are reached', async () => {
    const target = await stage.person('rich');
    const give = (value: number, key = '') =>
      manage(root, target.id, 'add_quota', { value, reason: '', key });
    for (const key of ['one intent', 'one intent'])
      expect((await give(1000, key)).data).toMatchObject({ quota: 1000 });
    expect((await give(-400, 'one intent')).data).toMatchObject({ quota: 600 });
    expect((await give(-601)).message).toBe('the quota cannot go below zero: 600 is available');
    const save = (group: string) =>
      root('/api/user', { method: 'PUT', body: { id: target.id, quota: 50, group } });
    expect((await save('vpi')).message).toBe('there is no group vpi');
    expect((await save('vip')).data).toMatchObject({ quota: 50, group: 'vip' });
    expect(await brokenRules(server.parts.stores.database)).toEqual([]);
  });

  it('a new password of an admin’s choice signs the owner out everywhere', async () => {
    const target = await stage.person('renewed');
    const call = stage.caller(await stage.session(target));
    await root('/api/user', { method: 'PUT', body: { id: target.id, password: 'chosen by the admin' } });
    expect((await call('/api/user/self')).status).toBe(401);
  });
});

describe('personal settings', () => {
  it('earnings are transferred from one unit of money on, and never more than there is', async () => {
    const ada = await stage.person('ada-earner');
    const call = stage.caller(await stage.session(ada));
    const earn = {
      kind: 'invite',
      ref: 'test',
      userId: ada.id,
      deltaUnits: 0,
      earnedUnits: 700_000,
    } as const;
    await server.parts.stores.ledger.move({ ...earn, reason: '', actorId: 0, nowMs: 1 });
    const transfer = (quota: number) => call('/api/user/aff_transfer', { method: 'POST', body: { quota } });
    expect((await transfer(499_999)).message).toBe('the minimum transfer is 500000');
    expect((await transfer(700_001)).message).toBe('the invite earnings are not enough');
    expect((await transfer(500_000)).success).toBe(true);
    expect((await call('/api/user/self')).data).toMatchObject({ quota: 500_000, aff_quota: 200_000 });
  });

  it('sessions are listed, ended one by one, and everywhere else', async () => {
    const ada = await stage.person('ada-sessions');
    const [here, there] = [await stage.session(ada), await stage.session(ada)];
    const call = stage.caller(here);
    const list = (await call('/api/user/sessions')).data as { id: string; is_current: boolean }[];
    expect(list.filter(({ is_current: isCurrent }) => isCurrent)).toHaveLength(1);
    expect(list).toHaveLength(2);
    const other = list.find(({ is_current: isCurrent }) => !isCurrent)?.id ?? '';
    const stranger = stage.caller(await stage.session(await stage.person('stranger')));
    expect((await stranger(`/api/user/sessions/${other}`, { method: 'DELETE' })).success).toBe(false);
    expect((await call(`/api/user/sessions/${other}`, { method: 'DELETE' })).success).toBe(true);
    expect((await stage.caller(there)('/api/user/self')).status).toBe(401);
    expect((await call('/api/user/self')).status).toBe(200);
  });

  it('the second step is asked for once it is on, takes each code once, and a backup code instead', async () => {
    const ada = await stage.person('ada-2fa');
    const call = stage.caller(await stage.session(ada));
    const { secret } = (await call('/api/user/2fa/setup', { method: 'POST' })).data as { secret: string };
    const codeAt = (ms: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms });
    const code = codeAt(Date.now());
    const enabled = await call('/api/user/2fa/enable', { method: 'POST', body: { code } });
    const [backup = ''] = enabled.data as string[];
    const login = async () =>
      (
        (
          await anonymous('/api/user/login', {
            method: 'POST',
            body: { username: 'ada-2fa', password: PASSWORD },
          })
        ).data as { require_2fa: boolean; ticket: string }
      ).ticket;
    const finish = (ticket: string, typed: string) =>
      anonymous('/api/user/login/2fa', { method: 'POST', body: { ticket, code: typed } });
    const ticket = await login();
    expect((await finish(ticket, code)).message).toBe('the code is wrong');
    expect((await finish(ticket, backup)).data).toMatchObject({ username: 'ada-2fa' });
    expect((await finish(ticket, backup)).message).toBe('this took too long, sign in again');
    expect((await finish(await login(), backup)).message).toBe('the code is wrong');
    const next = await finish(await login(), codeAt(Date.now() + 30_000));
    const cookie = next.headers.getSetCookie()[0]?.split(/[=;]/)[1] ?? '';
    const entered = createCaller(server.url, sessionHeaders(cookie, ada.id));
    expect((await entered('/api/user/2fa')).data).toEqual({ enabled: true, backup_codes_left: 9 });
  });

  it('dangerous operations ask for a confirmation once the sign-in is not fresh', async () => {
    const ada = await stage.person('ada-stale');
    const call = stage.caller(await stage.session(ada));
    const { sessions } = server.parts.stores;
    const [session] = await sessions.listOf(ada.id, Date.now());
    await sessions.setFresh(session?.idHash ?? '', 0);
    const leave = () => call('/api/user/self?username=ada-stale', { method: 'DELETE' });
    const refused = await leave();
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      403,
      { code: 'fresh_password_needed' },
    ]);
    const confirm = (password: string) => call('/api/user/confirm', { method: 'POST', body: { password } });
    expect((await confirm('not this one')).success).toBe(false);
    expect((await confirm(PASSWORD)).success).toBe(true);
    expect((await call('/api/user/self?username=somebody', { method: 'DELETE' })).message).toContain('match');
    expect((await leave()).success).toBe(true);
    expect((await call('/api/user/self')).status).toBe(401);
  });

  it('with password sign-in off, only the super admin can still use it', async () => {
    await set('PasswordLoginEnabled', false);
    const login = (username: string) =>
      anonymous('/api/user/login', { method: 'POST', body: { username, password: PASSWORD } });
    expect((await login('root')).success).toBe(true);
    expect((await login('ada-mail')).message).toContain('login by password is disabled');
    await set('PasswordLoginEnabled', true);
  });
});
