import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { oauthNames, signInServices } from '#contract/sign-in-services.ts';
import { type IdentityServer, startIdentityServer } from '../../../../simulator/identity/start.ts';
import { readConfig } from '../../../config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import { type Caller, createCaller, type Got, sessionHeaders } from '../../../http/testing/caller.ts';
import { type Stage, setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';

const folder = temporaryFolder();
const log = keptLog();
let services: IdentityServer;
let server: RunningServer;
let stage: Stage;
let root: Caller;

const set = async (key: string, value: unknown) => {
  const got = await root('/api/option', { method: 'PUT', body: { key, value: String(value) } });
  expect([key, got.message]).toEqual([key, '']);
};

beforeAll(async () => {
  services = await startIdentityServer();
  const names = [...oauthNames.filter((name) => name !== 'oidc'), 'github-api', 'turnstile'];
  server = await startServer(
    readConfig({
      ...testEnvironment(folder.path),
      TOLLGATE_SERVICE_URLS: names.map((name) => `${name}=${services.url}`).join(','),
    }),
    { log },
  );
  stage = await setStage(server);
  root = stage.caller(await stage.session(await stage.person('root', role.root)));
  await set('oidc.well_known', `${services.url}/.well-known/openid-configuration`);
  for (const name of oauthNames) {
    const { needs, on } = signInServices[name].options;
    await set(needs[0], 'simulated-client');
    await set(needs[1], 'simulated-secret');
    await set(on, true);
  }
  await set('WeChatServerAddress', services.url);
  await set('WeChatServerToken', 'simulated-secret');
  await set('WeChatAuthEnabled', true);
});
afterAll(async () => {
  await server.stop();
  await services.stop();
  folder.remove();
});

let people = 0;
/** Somebody new at the services. */
const somebody = () => ({ id: String((people += 1) + 5000), username: `octo${people}` });
beforeEach(() => services.next(somebody()));

interface Journey {
  readonly state: string;
  readonly code: string;
  readonly headers: Record<string, string>;
}

/** Begins a sign-in, agrees on the service's page, and comes back with what is in the address. */
const travel = async (provider: string, credentials: Record<string, string> = {}): Promise<Journey> => {
  const begun = await createCaller(server.url, credentials)(`/api/oauth/state?provider=${provider}`);
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { authorize_url: url } = JSON.parse(begun.text) as { authorize_url: string };
  const away = await fetch(url, { redirect: 'manual' });
  const back = new URL(away.headers.get('location') ?? 'http://nowhere.invalid');
  expect(back.pathname).toBe(`/oauth/${provider}`);
  const cookies = [credentials['Cookie'], cookie].filter(Boolean).join('; ');
  return {
    state: back.searchParams.get('state') ?? '',
    code: back.searchParams.get('code') ?? '',
    headers: { ...credentials, Cookie: cookies },
  };
};
const arrive = (provider: string, { state, code, headers }: Journey): Promise<Got> =>
  createCaller(server.url, headers)(`/api/oauth/${provider}?code=${code}&state=${state}`);

/** Asked at once and looked at in the end: it takes as long as we wait for a service. */
let slow: Promise<Got>;
beforeAll(async () => {
  await services.next({ ...somebody(), fault: 'slow' });
  slow = arrive('github', await travel('github'));
});

describe.each(oauthNames)('%s', (provider) => {
  it('makes an account the first time and signs into it the next', async () => {
    const who = somebody();
    await services.next(who);
    const first = await arrive(provider, await travel(provider));
    expect(first.data).toMatchObject({ username: who.username, role: 1 });
    expect(first.headers.getSetCookie()[0]).toMatch(/^session=.*HttpOnly; SameSite=Strict/);
    const second = await arrive(provider, await travel(provider));
    expect((second.data as { id: number }).id).toBe((first.data as { id: number }).id);
  });

  it('keeps the printable part of an odd name', async () => {
    const name = `\u202eevil\0\n${provider}${people}`;
    await services.next({ ...somebody(), username: name });
    const got = await arrive(provider, await travel(provider));
    expect(got.data).toMatchObject({
      username: expect.stringMatching(new RegExp(`^${provider}_\\w{4}$`)),
      display_name: `evil${provider}${people - 1}`,
    });
  });

  it('binds to the signed-in account, and afterwards to no other', async () => {
    const [ada, eve] = [await stage.person(`ada-${provider}`), await stage.person(`eve-${provider}`)];
    const bound = await arrive(provider, await travel(provider, await stage.session(ada)));
    expect([bound.success, bound.message, bound.data]).toEqual([true, 'bind', null]);
    const taken = await arrive(provider, await travel(provider, await stage.session(eve)));
    expect(taken.message).toMatch(/is linked to another user/);
    const entered = await arrive(provider, await travel(provider));
    expect(entered.data).toMatchObject({ id: ada.id });
  });
});

describe('coming back', () => {
  it('works once, for the browser that began, and with the state it was given', async () => {
    const journey = await travel('github');
    const other = await travel('github');
    expect((await arrive('github', { ...journey, headers: {} })).status).toBe(403);
    const again = await travel('github');
    expect((await arrive('github', { ...again, state: other.state, headers: {} })).status).toBe(403);
    expect((await arrive('github', { ...again, state: 'invented' })).status).toBe(403);
    expect((await arrive('github', again)).success).toBe(true);
    expect((await arrive('github', again)).status).toBe(403);
  });

  it('never turns a sign-in into a binding, nor one service into another', async () => {
    const ada = await stage.person('ada-purpose');
    const anonymous = await travel('github');
    const session = await stage.session(ada);
    const mixed = `${session['Cookie']}; ${anonymous.headers['Cookie'] ?? ''}`;
    expect((await arrive('github', { ...anonymous, headers: { ...session, Cookie: mixed } })).status).toBe(
      403,
    );
    expect((await arrive('linuxdo', await travel('github'))).status).toBe(403);
  });

  it('uses a code once: a second state with the same code is refused by the service', async () => {
    const first = await travel('github');
    expect((await arrive('github', first)).success).toBe(true);
    const second = await travel('github');
    const got = await arrive('github', { ...second, code: first.code });
    expect(got.message).toBe('GitHub did not confirm who you are: the code is not valid');
  });

  it.each(['error', 'garbled'] as const)('says so when the service answers %s', async (fault) => {
    await services.next({ ...somebody(), fault });
    const got = await arrive('github', await travel('github'));
    expect([got.status, got.success]).toEqual([200, false]);
    expect(got.message).toContain('GitHub did not confirm who you are');
  });

  it('says so when the user said no', async () => {
    await services.next({ ...somebody(), fault: 'denied' });
    const { state, headers } = await travel('github');
    const got = await createCaller(
      server.url,
      headers,
    )(`/api/oauth/github?state=${state}&error=access_denied&error_description=the user said no`);
    expect(got.message).toContain('the user said no');
  });

  it("refuses an OpenID profile of another subject than the token's", async () => {
    await services.next({ ...somebody(), fault: 'foreign-id' });
    expect((await arrive('oidc', await travel('oidc'))).success).toBe(false);
  });

  it('does not bring back a cancelled account, nor make one where registration is closed', async () => {
    const made = await arrive('github', await travel('github'));
    await server.parts.stores.managedUsers.softDelete((made.data as { id: number }).id, Date.now());
    expect((await arrive('github', await travel('github'))).message).toBe('this account has been closed');
    await services.next(somebody());
    const body = { username: 'newcomer', password: 'a long enough password' };
    for (const [option, closed] of [
      ['RegisterEnabled', false],
      ['SelfUseModeEnabled', true],
    ] as const) {
      await set(option, closed);
      expect((await arrive('github', await travel('github'))).message).toContain('registration is disabled');
      const registered = await createCaller(server.url)('/api/user/register', { method: 'POST', body });
      expect(registered.message).toContain('registration is disabled');
      await set(option, !closed);
    }
  });

  it('keeps the last way in: an account without a password unbinds only after it has one', async () => {
    const made = await arrive('github', await travel('github'));
    const cookie = made.headers.getSetCookie()[0]?.split(/[=;]/)[1] ?? '';
    const call = createCaller(server.url, sessionHeaders(cookie, (made.data as { id: number }).id));
    const unbind = () => call('/api/oauth/github/bind', { method: 'DELETE' });
    expect((await unbind()).message).toContain('your last way to sign in');
    await call('/api/user/self', { method: 'PUT', body: { password: 'a password of my own' } });
    expect((await unbind()).success).toBe(true);
  });
});

it.each(['linuxdo', 'discord', 'oidc'])('%s: ids that cannot be stored are refused', async (provider) => {
  for (const id of ['', 'a\0b', 'x'.repeat(256)]) {
    await services.next({ ...somebody(), id });
    const got = await arrive(provider, await travel(provider));
    expect([got.status, got.success]).toEqual([200, false]);
    expect(got.message).toMatch(/did not confirm who you are: the profile does not say who it is$/);
  }
});

it('WeChat takes the code its account answered, and no other', async () => {
  const call = createCaller(server.url);
  expect((await call('/api/oauth/wechat?code=9999')).message).toBe('the WeChat code is wrong or has expired');
  const first = await call('/api/oauth/wechat?code=1234');
  expect(first.data).toMatchObject({ display_name: 'WeChat User' });
  const second = await call('/api/oauth/wechat?code=1234');
  expect((second.data as { id: number }).id).toBe((first.data as { id: number }).id);
});

it('on a demo site known users sign in, no account is made, and only the super admin binds', async () => {
  const known = somebody();
  await services.next(known);
  expect((await arrive('github', await travel('github'))).success).toBe(true);
  const visitor = await stage.session(await stage.person('demo-visitor'));
  await set('DemoSiteEnabled', true);
  expect((await arrive('github', await travel('github'))).data).toMatchObject({ username: known.username });
  await services.next(somebody());
  const refused = [
    await arrive('github', await travel('github')),
    await arrive('github', await travel('github', visitor)),
  ];
  for (const { status, message } of refused) expect([status, message]).toEqual([405, 'demo site, no server']);
  await set('DemoSiteEnabled', false);
  const bound = await arrive('github', await travel('github', visitor));
  expect([bound.success, bound.message]).toEqual([true, 'bind']);
});

it('the human check is verified by the server, and no answer counts as a failure', async () => {
  await set('TurnstileSiteKey', 'site');
  await set('TurnstileSecretKey', 'simulated-secret');
  await set('TurnstileCheckEnabled', true);
  await stage.person('checked');
  const login = (turnstile: string) =>
    createCaller(server.url)(`/api/user/login?turnstile=${turnstile}`, {
      method: 'POST',
      body: { username: 'checked', password: 'a long enough password' },
    });
  expect((await login('')).message).toContain('human verification failed');
  expect((await login('robot')).success).toBe(false);
  expect((await login('broken')).success).toBe(false);
  expect((await login('human')).success).toBe(true);
  const mail = await createCaller(server.url)('/api/verification?email=a@example.com');
  expect(mail.message).toContain('human verification failed');
});

it('a service that does not answer in time has not confirmed anybody', async () => {
  const got = await slow;
  expect([got.status, got.success, got.headers.getSetCookie()]).toEqual([200, false, []]);
  expect(got.message).toContain('GitHub did not confirm who you are');
});

it('no secret of a service is in the log', () => {
  expect(log.lines.filter((line) => /simulated-secret/.test(line))).toEqual([]);
});
