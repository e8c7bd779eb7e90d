import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role, userStatus } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../../../config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import { createCaller, sessionHeaders } from '../../../http/testing/caller.ts';
import { PASSWORD, type Stage, setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';

const folder = temporaryFolder();
let server: RunningServer;
let stage: Stage;
let alice: User;
let anonymous: ReturnType<typeof createCaller>;

beforeAll(async () => {
  const environment = {
    ...testEnvironment(folder.path),
    TOLLGATE_LOGIN_LIMIT_PER_ACCOUNT: '5',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  server = await startServer(readConfig(environment), { log: keptLog() });
  stage = await setStage(server);
  await stage.person('root', role.root);
  alice = await stage.person('alice');
  anonymous = stage.caller();
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const signIn = (username: string, password: string, headers = {}) =>
  anonymous('/api/user/login', { method: 'POST', body: { username, password }, headers });
const cookieOf = (got: Awaited<ReturnType<typeof signIn>>): string => got.headers.getSetCookie()[0] ?? '';

describe('signing in', () => {
  it('gives the user and a cookie that scripts and other sites never see', async () => {
    const got = await signIn('alice', PASSWORD);
    expect(got.data).toEqual({
      id: alice.id,
      username: 'alice',
      display_name: 'alice',
      role: 1,
      status: 1,
      group: 'default',
    });
    expect(cookieOf(got)).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
  });

  it('keeps the cookie to https where the browser came by https', async () => {
    const got = await signIn('alice', PASSWORD, {
      'X-Forwarded-For': '203.0.113.9',
      'X-Forwarded-Proto': 'https',
    });
    expect(cookieOf(got)).toMatch(/^__Host-session=.*; Secure$/);
  });

  it('says the same for a wrong password and an unknown name, in both languages', async () => {
    const [wrong, unknown] = [
      await signIn('alice', 'not this one'),
      await signIn('nobody-here', 'not this one'),
    ];
    expect([wrong.status, wrong.text]).toEqual([200, unknown.text]);
    expect(wrong.message).toBe('username or password incorrect');
    const chinese = await signIn('alice', 'not this one', { 'Accept-Language': 'zh-CN,zh;q=0.9' });
    expect(chinese.message).toBe('用户名或密码错误');
  });

  it.each([
    ['nothing', {}],
    ['empty texts', { username: '', password: '' }],
    ['a name of spaces', { username: '  ', password: 'something' }],
    ['no password', { username: 'alice' }],
    ['no name', { password: PASSWORD }],
  ])('asks for both of who sends %s, in both languages', async (_, body) => {
    const ask = (headers = {}) => anonymous('/api/user/login', { method: 'POST', body, headers });
    const got = await ask();
    expect([got.status, got.success, got.message]).toEqual([200, false, 'enter username and password']);
    expect((await ask({ 'Accept-Language': 'zh-CN' })).message).toBe('请输入用户名和密码！');
  });

  it('takes the same time for a wrong password and an unknown name', async () => {
    const timed = async (username: string): Promise<number> => {
      const before = process.cpuUsage();
      await server.parts.accounts
        .login(username, 'not this one', { ip: '', userAgent: '', device: undefined })
        .catch(() => undefined);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    // That of a person of the stage is a cheap one.
    const hash = await server.parts.passwords.hash(PASSWORD);
    for (let n = 0; n < 16; n += 1) {
      // A name is asked for once: its limit must not speed it up.
      const person = await stage.person(`timed${n}`);
      await server.parts.stores.users.setPasswordHash(person.id, hash);
      known.push(await timed(person.username));
      unknown.push(await timed(`ghost${n}`));
    }
    // What else this process does makes some tries dearer, never one cheaper: the cheapest tell what each takes.
    const usual = (times: number[]): number => times.toSorted((left, right) => left - right)[3] ?? 0;
    // Without the hash an unknown name answers in a tenth of the time.
    expect(usual(unknown) / usual(known)).toBeGreaterThan(0.6);
    expect(usual(unknown) / usual(known)).toBeLessThan(1.6);
  });

  it('stops guessing at an account after five tries, and says when to come back', async () => {
    await stage.person('guessed');
    const answers = [];
    for (let n = 0; n < 6; n += 1) answers.push(await signIn('Guessed', 'not this one'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(Number(answers[5]?.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(answers[5]?.message).toBe('too many requests, try later');
  });

  it('forgets wrong tries once the right password came', async () => {
    await stage.person('forgetful');
    const passwords = ['no', 'no', 'no', 'no', PASSWORD, 'no', 'no', 'no', 'no', PASSWORD];
    const answers = [];
    for (const password of passwords) answers.push((await signIn('forgetful', password)).status);
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  it('refuses somebody who is banned, and only who knows the password learns of the ban', async () => {
    const banned = await stage.person('banned');
    await stage.set(banned, { status: userStatus.disabled });
    expect((await signIn('banned', PASSWORD)).message).toBe('user banned');
    expect((await signIn('banned', 'not this one')).message).toBe('username or password incorrect');
  });
});

describe('a session', () => {
  const sessionOf = async (username: string) => {
    const got = await signIn(username, PASSWORD);
    const id = cookieOf(got).split(/[=;]/)[1] ?? '';
    const user = got.data as { id: number };
    return createCaller(server.url, sessionHeaders(id, user.id));
  };

  it('ends with logout, at once', async () => {
    const call = await sessionOf('alice');
    expect((await call('/api/user/self')).status).toBe(200);
    const out = await call('/api/user/logout');
    expect(out.headers.getSetCookie()[0]).toContain('Max-Age=0');
    expect((await call('/api/user/self')).status).toBe(401);
  });

  it('ends everywhere else when the password changes, which needs the old one', async () => {
    await stage.person('carol');
    const [here, there] = [await sessionOf('carol'), await sessionOf('carol')];
    const change = (original_password: string) =>
      here('/api/user/self', { method: 'PUT', body: { password: 'another good one', original_password } });
    expect((await change('not this one')).message).toBe('the current password is incorrect');
    expect((await there('/api/user/self')).status).toBe(200);
    expect((await change(PASSWORD)).success).toBe(true);
    expect((await here('/api/user/self')).status).toBe(200);
    expect((await there('/api/user/self')).status).toBe(401);
    expect((await signIn('carol', PASSWORD)).success).toBe(false);
    expect((await signIn('carol', 'another good one')).success).toBe(true);
  });

  it('has the rights its account has now, not those it had at login', async () => {
    const dave = await stage.person('dave', role.admin);
    const call = await sessionOf('dave');
    expect((await call('/api/option')).status).toBe(200);
    await stage.set(dave, { role: role.user });
    expect((await call('/api/option')).status).toBe(403);
    await stage.set(dave, { status: userStatus.disabled });
    const after = await call('/api/user/self');
    expect([after.status, after.message]).toEqual([401, 'user banned']);
  });

  it('needs the id of its own user beside it', async () => {
    const got = await signIn('alice', PASSWORD);
    const cookie = cookieOf(got).split(';')[0] ?? '';
    for (const id of [undefined, '', 'alice', String(alice.id + 1), `${alice.id} or 1`]) {
      const answer = await anonymous('/api/user/self', {
        headers: { Cookie: cookie, ...(id === undefined ? {} : { 'New-Api-User': id }) },
      });
      expect(answer.status).toBe(401);
    }
  });

  it('does not answer pages of other sites', async () => {
    const call = await sessionOf('alice');
    const from = async (headers: Record<string, string>) =>
      (await call('/api/user/self', { headers })).status;
    expect(await from({ 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
    expect(await from({ Origin: server.url })).toBe(200);
    expect(await from({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await from({ 'Sec-Fetch-Site': 'same-site' })).toBe(403);
    expect(await from({ Origin: 'https://evil.example' })).toBe(403);
    expect(await from({ Origin: 'null' })).toBe(403);
  });
});

it('an account keeps a name from before the rules, and a new name keeps to them', async () => {
  const old = await stage.person('a name of the old days');
  const call = stage.caller(await stage.session(old));
  const rename = (username: string) =>
    call('/api/user/self', { method: 'PUT', body: { username, display_name: 'Old' } });
  expect((await rename('a name of the old days')).success).toBe(true);
  expect((await rename('another name of the old days')).status).toBe(400);
  expect((await rename('alice')).message).toBe('this username or email is taken');
  expect((await rename('modern')).success).toBe(true);
  expect((await call('/api/user/self')).data).toMatchObject({ username: 'modern', display_name: 'Old' });
});

describe('a system access token', () => {
  it('works as it was given, with or without Bearer, until the next one is made', async () => {
    const call = stage.caller(await stage.session(alice));
    const token = String((await call('/api/user/token')).data);
    expect(token).toMatch(/^\w{32}$/);
    const ask = async (authorization: string) =>
      (
        await anonymous('/api/user/self', {
          headers: { Authorization: authorization, 'New-Api-User': String(alice.id) },
        })
      ).status;
    expect([await ask(token), await ask(`Bearer ${token}`), await ask('nonsense')]).toEqual([200, 200, 401]);
    await call('/api/user/token');
    expect(await ask(token)).toBe(401);
  });

  it('does not open the playground', async () => {
    const headers = await stage.accessToken(alice);
    const got = await stage.caller(headers)('/pg/chat/completions', {
      method: 'POST',
      body: { model: 'gpt-small', messages: [{ role: 'user', content: 'hi' }] },
    });
    expect(got.status).toBe(401);
  });
});

describe('registering', () => {
  const register = (body: object, headers = {}) =>
    anonymous('/api/user/register', { method: 'POST', body, headers });

  it('gives the new account, the invited and the inviter what the operator set, once', async () => {
    const root = stage.caller(await stage.session(await stage.person('giver', role.root)));
    for (const [key, value] of [
      ['QuotaForNewUser', 1000],
      ['QuotaForInvitee', 200],
      ['QuotaForInviter', 300],
    ] as const) {
      await root('/api/option', { method: 'PUT', body: { key, value } });
    }
    const inviter = await stage.person('inviter');
    const got = await register({
      username: 'invited',
      password: PASSWORD,
      password2: PASSWORD,
      aff_code: inviter.affCode,
    });
    expect(got.success).toBe(true);
    const invited = await server.parts.stores.users.byLogin('invited');
    expect(invited).toMatchObject({
      quotaUnits: 1200,
      inviterId: inviter.id,
      role: 1,
      displayName: 'invited',
    });
    expect(await server.parts.stores.users.byId(inviter.id)).toMatchObject({
      quotaUnits: 0,
      affQuotaUnits: 300,
      affHistoryQuotaUnits: 300,
      affCount: 1,
    });
    expect(await server.parts.stores.users.owedGifts()).toEqual([]);
  });

  it.each([
    [{ username: 'eve', password: 'short' }, 400, '密码长度不得小于 8 位！'],
    [{ username: 'eve', password: PASSWORD, password2: 'another one' }, 200, '两次输入的密码不一致'],
    [{ username: 'alice', password: PASSWORD }, 200, '用户名或邮箱已被占用'],
    [{ username: 'eve', password: PASSWORD, aff_code: 'none' }, 200, '邀请码不存在'],
    [{ username: 'much too long a name', password: PASSWORD }, 400, '无效的参数 username：'],
    [{ username: 'eve', password: PASSWORD, role: 100 }, 400, '无效的参数：未知字段 role'],
  ])('refuses %j', async (body, status, message) => {
    const got = await register(body, { 'Accept-Language': 'zh' });
    expect([got.status, got.success]).toEqual([status, false]);
    expect(got.message).toContain(message);
  });
});
