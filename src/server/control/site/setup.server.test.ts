import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { startServer } from '../../main.ts';
import { systemClock, systemRandom } from '../../system.ts';
import { createSetup } from './setup.ts';
import { createCaller, sessionHeaders } from '../../http/testing/caller.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const start = (path = folder.path) => startServer(readConfig(testEnvironment(path)), { log: keptLog() });
const secretOf = (link: string | undefined): string =>
  new URL(link ?? 'http://none').searchParams.get('secret') ?? '';
const first = (secret: string, username: string) => ({
  method: 'POST',
  body: { secret, username, password: 'a good password', confirmPassword: 'a good password' },
});

it('the setup link survives a restart, makes exactly one super admin of a hundred who ask, and then ends', async () => {
  const before = await start();
  const link = secretOf(before.setupLink);
  expect(link).toMatch(/^[\w-]{43}$/);
  await before.stop();

  const server = await start();
  expect(secretOf(server.setupLink)).toBe(link);
  const call = createCaller(server.url);
  expect((await call('/api/setup')).data).toEqual({
    status: false,
    root_init: false,
    database_type: 'sqlite',
  });
  const guessed = await call('/api/setup', first('a-guess', 'mallory'));
  expect([guessed.status, guessed.success]).toEqual([200, false]);
  const differing = await call('/api/setup', {
    method: 'POST',
    body: { ...first(link, 'root').body, confirmPassword: 'something else' },
    headers: { 'Accept-Language': 'zh-CN' },
  });
  expect(differing.message).toBe('两次输入的密码不一致');

  // At most 52 passwords are hashed or wait at a time; the rest are told to come back.
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => call('/api/setup', first(link, `root${n}`))),
  );
  expect(answers.filter(({ success }) => success === true)).toHaveLength(1);
  const won = answers.find(({ success }) => success === true);
  const user = won?.data as { id: number; role: number };
  expect(user).toMatchObject({ role: 100, username: expect.stringMatching(/^root\d+$/) });
  const session = (won?.headers.getSetCookie()[0] ?? '').split(/[=;]/)[1] ?? '';
  const self = await createCaller(server.url, sessionHeaders(session, user.id))('/api/user/self');
  expect([self.status, (self.data as { id: number }).id]).toEqual([200, user.id]);
  expect(new Set(answers.map(({ status }) => status)).difference(new Set([200, 503])).size).toBe(0);
  expect((await server.parts.stores.users.list({ page: 1, pageSize: 10 })).items).toMatchObject([
    { role: 100, quotaUnits: 100_000_000 },
  ]);
  expect((await call('/api/setup')).data).toEqual({ status: true, root_init: true, database_type: 'sqlite' });
  expect((await call('/api/setup', first(link, 'again'))).success).toBe(false);
  expect(await server.parts.setup.linkSecret()).toBeUndefined();
  await server.stop();
});

it('a setup that is cut short can be repeated, or gives its quota later, once', async () => {
  const other = temporaryFolder();
  const { parts, stop } = await start(other.path);
  const { stores, registration } = parts;
  const account = { username: 'root', password: 'a good password', repeated: 'a good password' };
  const secret = (await parts.setup.linkSecret()) ?? '';
  const wish = { ...account, secret, selfUse: true, demoSite: false };
  const cutShort = (more: object) =>
    createSetup({
      ...parts,
      ...stores,
      clock: systemClock,
      random: systemRandom,
      creditOwed: killed,
      ...more,
    });
  const killed = () => Promise.reject(new Error('killed'));
  await expect(cutShort({ users: { ...stores.users, createFirst: killed } }).finish(wish)).rejects.toThrow(
    'killed',
  );
  expect(await stores.users.exists()).toBe(false);
  const { id } = await cutShort({}).finish(wish);
  expect(await stores.users.byId(id)).toMatchObject({ quotaUnits: 0 });
  expect(parts.routing().options.SelfUseModeEnabled).toBe(true);
  await registration.creditOwed();
  await registration.creditOwed();
  expect(await stores.users.byId(id)).toMatchObject({ quotaUnits: 100_000_000 });
  await stop();
  other.remove();
});
