import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpoints } from '#contract/api/endpoints.ts';
import { role } from '#contract/codes.ts';
import { readConfig } from '../config.ts';
import { type RunningServer, startServer } from '../main.ts';
import { changes } from '../http/serve.ts';
import type { Caller } from '../http/testing/caller.ts';
import { PASSWORD, type Stage, setStage } from '../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../http/testing/test-config.ts';

/** A demo site shows everything, and only the super admin can change it. */

const folder = temporaryFolder();
let server: RunningServer;
let stage: Stage;
let root: Caller;
let admin: Caller;

const set = (key: string, value: boolean) =>
  root('/api/option', { method: 'PUT', body: { key, value: String(value) } });

beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  root = stage.caller(await stage.session(await stage.person('root', role.root)));
  admin = stage.caller(await stage.session(await stage.person('admin', role.admin)));
  await set('DemoSiteEnabled', true);
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

/** How many of everything somebody could have made. */
const rows = async () => {
  const { writer } = server.parts.stores.database;
  const tables = ['users', 'tokens', 'channels', 'redemptions', 'options', 'sessions'] as const;
  const lists = tables.map((table) => writer.selectFrom(table).selectAll().execute());
  return (await Promise.all(lists)).map((list) => list.length);
};

const changing = endpoints.filter(changes);
const pathOf = (path: string): string => path.replaceAll(/:\w+/g, '1');
const OPEN = ['/api/user/logout', '/api/user/confirm', '/api/setup', '/api/usage_link/open'];
/** Ways in, of one step or two, and out. */
const isOpen = (path: string): boolean => OPEN.includes(path) || /\/login(\/|$)/.test(path);

/** What is only the super admin's is refused to an admin anywhere. */
const closed = changing.filter(({ path, access }) => !isOpen(path) && access !== 'root');

it.each(closed.map(({ method, path }) => [method, path] as const))(
  '%s %s answers an admin 405, in the words of the specification',
  async (method, path) => {
    const body = method === 'GET' ? undefined : {};
    const headers = { 'Accept-Language': 'zh' };
    const got = await admin(pathOf(path), { method, body, headers });
    expect([got.status, got.success, got.message]).toEqual([405, false, '本站仅作演示之用，无服务端！']);
  },
);

it.each(closed.map(({ method, path }) => [method, path] as const))(
  '%s %s: neither a slash at its end nor another way to say the method leads around it',
  async (method, path) => {
    const body = method === 'GET' ? undefined : {};
    const tries = [
      await admin(`${pathOf(path)}/`, { method, body }),
      // A `HEAD` is a `GET` whose answer nobody reads.
      ...(method === 'GET' ? [await admin(pathOf(path), { method: 'HEAD' })] : []),
    ];
    expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 405));
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      const open = await admin(`/api/user/self?_method=${method}`, { headers: { [name]: method } });
      expect([name, open.status, open.data]).toMatchObject([name, 200, { username: 'admin' }]);
    }
  },
);

it('what only asks about a call changes nothing, and odd spellings of a path lead nowhere', async () => {
  const before = await rows();
  for (const path of ['/api/user/manage', '/api/token', '/api/user/token'])
    for (const method of ['OPTIONS', 'PATCH']) expect((await admin(path, { method })).success).not.toBe(true);
  const odd = ['//api/token', '/api//token', '/api/./token', '/API/token', '/api/%74oken', '/api/token;x'];
  for (const path of odd) {
    const { success } = await admin(path, { method: 'POST', body: { name: 'x' } });
    expect([path, success]).not.toEqual([path, true]);
  }
  expect(await rows()).toEqual(before);
});

it('an access token of an admin is refused like the admin', async () => {
  const token = stage.caller(await stage.accessToken(await stage.person('scripted', role.admin)));
  expect((await token('/api/token', { method: 'POST', body: {} })).status).toBe(405);
});

it('calls with a key that is there are relayed: a demo shows them', async () => {
  const made = await stage.token(await stage.person('caller'));
  const call = (key: string) =>
    stage.caller({ Authorization: `Bearer sk-${key}` })('/v1/chat/completions', {
      method: 'POST',
      body: { model: 'none', messages: [{ role: 'user', content: 'hi' }] },
    });
  expect((await call('invented')).status).toBe(401);
  expect([403, 404, 503]).toContain((await call(made.key)).status);
});

it('says it in English as well', async () => {
  const got = await admin('/api/token', { method: 'POST', body: {} });
  expect([got.status, got.message]).toEqual([405, 'demo site, no server']);
});

it('signing in and out, reading, and everything of the super admin stay as they are', async () => {
  await stage.person('visitor');
  const login = await stage.caller()('/api/user/login', {
    method: 'POST',
    body: { username: 'visitor', password: PASSWORD },
  });
  expect(login.data).toMatchObject({ username: 'visitor' });
  const confirm = await admin('/api/user/confirm', { method: 'POST', body: { password: PASSWORD } });
  expect(confirm.success).toBe(true);
  for (const path of ['/api/user', '/api/channel', '/api/log', '/api/option', '/api/user/self'])
    expect([path, (await admin(path)).success]).toEqual([path, true]);
  const made = await root('/api/user', { method: 'POST', body: { username: 'new', password: PASSWORD } });
  expect(made.message).toBe('');
});

it('and the status tells the page, as it tells of a site for one person', async () => {
  const status = async () => (await stage.caller()('/api/status')).data;
  expect(await status()).toMatchObject({ demo_site_enabled: true, self_use_mode_enabled: false });
  await set('SelfUseModeEnabled', true);
  await set('DemoSiteEnabled', false);
  expect(await status()).toMatchObject({ demo_site_enabled: false, self_use_mode_enabled: true });
  expect((await admin('/api/user/aff_transfer', { method: 'POST', body: { quota: 1 } })).status).toBe(200);
});
