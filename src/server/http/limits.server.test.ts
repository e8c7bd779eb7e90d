import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { type RunningServer, startServer } from '../main.ts';
import { hasRedis, startRedis } from '../limits/testing/redis-server.ts';
import { createCaller, type Got } from './testing/caller.ts';
import { PASSWORD, setStage } from './testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from './testing/test-config.ts';

const folder = temporaryFolder();
let server: RunningServer;

const start = async (limits: object): Promise<void> => {
  server = await startServer(readConfig({ ...testEnvironment(folder.path), ...limits }), { log: keptLog() });
};
const restart = async (limits: object): Promise<void> => {
  await server.stop();
  await start(limits);
};
const post = (path: string, body: object): Promise<Got> =>
  createCaller(server.url)(path, { method: 'POST', body });
const login = (username: string, password: string) => post('/api/user/login', { username, password });

const perAccount = { TOLLGATE_LOGIN_LIMIT_PER_ACCOUNT: '3' };
const perAddress = { TOLLGATE_LOGIN_LIMIT_PER_ADDRESS: '2', TOLLGATE_REGISTER_LIMIT_PER_ADDRESS: '2' };

beforeAll(() => start(perAccount));
afterAll(async () => {
  await server.stop();
  folder.remove();
});

it('guesses at a password, or at the codes of a second factor, count on after a restart', async () => {
  const stage = await setStage(server);
  await stage.person('ada');
  await stage.person('eve');
  const grace = await stage.person('grace');
  const call = stage.caller(await stage.session(grace));
  const { secret } = (await call('/api/user/2fa/setup', { method: 'POST' })).data as { secret: string };
  const code = (): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await call('/api/user/2fa/enable', { method: 'POST', body: { code: code() } });

  for (let guess = 0; guess < 3; guess += 1) expect((await login('ada', 'wrong')).status).toBe(200);
  const { ticket } = (await login('grace', PASSWORD)).data as { ticket: string };
  const finish = (typed: string) => post('/api/user/login/2fa', { ticket, code: typed });
  for (let guess = 0; guess < 3; guess += 1) expect((await finish('abcde-fghij')).status).toBe(200);

  await restart(perAccount);
  const refused = await login('Ada', PASSWORD);
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([429, []]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
  expect((await finish(code())).status).toBe(429);
  expect((await login('eve', PASSWORD)).data).toMatchObject({ username: 'eve' });
});

it('a right password forgives the wrong ones before it', async () => {
  for (let round = 0; round < 3; round += 1) {
    expect((await login('eve', 'wrong')).success).toBe(false);
    expect((await login('eve', 'wrong')).success).toBe(false);
    expect((await login('eve', PASSWORD)).success).toBe(true);
  }
});

it('what one address asks counts on after a restart: registrations, sign-ins, mailed codes', async () => {
  const asks = {
    register: (at: number) =>
      post('/api/user/register', { username: `new${at}`, password: 'a good password' }),
    code: () => createCaller(server.url)('/api/verification?email=a@example.com'),
    reset: () => createCaller(server.url)('/api/reset_password?email=a@example.com'),
  };
  // Counts at other limits carry over.
  await restart(perAddress);
  expect((await login('eve', PASSWORD)).status).toBe(429);
  for (const [name, ask] of Object.entries(asks)) {
    for (const at of [1, 2]) expect([name, (await ask(at)).status]).toEqual([name, 200]);
  }
  await restart(perAddress);
  for (const [name, ask] of Object.entries(asks)) expect([name, (await ask(3)).status]).toEqual([name, 429]);
});

it('keeps no name that was typed, and no address', async () => {
  const rows = await server.parts.stores.database.writer.selectFrom('limit_counts').select('key').execute();
  expect(rows.length).toBeGreaterThan(5);
  for (const { key } of rows) expect(key).toMatch(/^[\w-]{43}$/);
});

it.skipIf(!hasRedis)(
  'with Redis, searches and calls of the API count on after a restart too (needs redis-server)',
  async () => {
    const redis = await startRedis();
    const shared = { REDIS_URL: redis.url, TOLLGATE_SEARCH_LIMIT_PER_USER: '2' };
    await restart(shared);
    const stage = await setStage(server);
    const headers = await stage.session(await stage.person('finder'));
    const statusOf = async (path: string): Promise<number> =>
      (await createCaller(server.url, headers)(path)).status;
    const search = '/api/token/search?keyword=x';
    const counted = async (): Promise<number> => {
      await statusOf('/api/status');
      return redis.count();
    };
    // The connection opens a moment after the server.
    await expect.poll(counted).toBeGreaterThan(0);
    expect([await statusOf(search), await statusOf(search)]).toEqual([200, 200]);
    await restart(shared);
    await expect.poll(() => statusOf(search)).toBe(429);
    expect(await statusOf('/api/status')).toBe(200);
    await restart({ ...shared, TOLLGATE_API_LIMIT_PER_ADDRESS: '2' });
    await expect.poll(() => statusOf('/api/status')).toBe(429);
    await server.stop();
    redis.stop();
    await start({});
  },
);
