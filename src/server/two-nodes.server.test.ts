import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from './config.ts';
import { createCaller, sessionHeaders } from './http/testing/caller.ts';
import { setStage } from './http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from './http/testing/test-config.ts';
import { type RunningServer, startServer } from './main.ts';
import { startPostgres } from './store/testing/postgres-server.ts';

const folder = temporaryFolder();
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let here: RunningServer;
let there: RunningServer;

const start = () => {
  const environment = {
    ...testEnvironment(folder.path),
    DATABASE_URL: postgres.url,
    TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters',
  };
  return startServer(readConfig(environment), { log: keptLog() });
};

beforeAll(async () => {
  postgres = await startPostgres();
  here = await start();
  there = await start();
});
afterAll(async () => {
  await here.stop();
  await there.stop();
  await postgres.stop();
  folder.remove();
});

it('two nodes on one PostgreSQL share accounts, sessions and settings, and hear of changes at once', async () => {
  expect(here.setupLink?.split('secret=')[1]).toBe(there.setupLink?.split('secret=')[1]);
  const secret = new URL(here.setupLink ?? '').searchParams.get('secret');
  const first = { username: 'root', password: 'a good password', confirmPassword: 'a good password', secret };
  const made = await createCaller(here.url)('/api/setup', { method: 'POST', body: first });
  expect(made.success).toBe(true);
  expect((await createCaller(there.url)('/api/setup')).data).toMatchObject({
    status: true,
    database_type: 'postgres',
  });

  const signedIn = await createCaller(here.url)('/api/user/login', {
    method: 'POST',
    body: { username: 'root', password: first.password },
  });
  const root = signedIn.data as { id: number; role: number };
  expect(root.role).toBe(role.root);
  const session = (signedIn.headers.getSetCookie()[0] ?? '').split(/[=;]/)[1] ?? '';
  const [callHere, callThere] = [here, there].map(({ url }) =>
    createCaller(url, sessionHeaders(session, root.id)),
  );
  expect((await callThere!('/api/user/self')).data).toMatchObject({ username: 'root', quota: 100_000_000 });

  await callHere!('/api/option', { method: 'PUT', body: { key: 'SystemName', value: 'Two nodes' } });
  const stage = await setStage(here);
  await stage.channel(await stage.person('owner', role.root), { models: 'shared-model' });
  await expect
    .poll(async () => (await callThere!('/api/status')).data)
    .toMatchObject({ system_name: 'Two nodes' });
  await expect
    .poll(async () => (await callThere!('/api/channel/models_enabled')).data)
    .toContain('shared-model');

  await callHere!('/api/user/logout');
  await expect.poll(async () => (await callThere!('/api/user/self')).status).toBe(401);
});

it('each hears what the other tells, and not itself', async () => {
  const heard = [here, there].map(({ parts }) => {
    const bodies: string[] = [];
    parts.news.hear('test', (body) => bodies.push(body));
    return bodies;
  });
  here.parts.news.tell('test', 'from here');
  there.parts.news.tell('test', 'from there');
  await expect.poll(() => heard).toEqual([['from there'], ['from here']]);
});

describe('what ends at one node ends at the other at once', () => {
  const managed = async (id: number, action: string): Promise<void> => {
    const root = await here.parts.stores.users.byLogin('root');
    if (root === undefined) throw new Error('there is no super admin');
    const stage = await setStage(here);
    const caller = stage.caller(await stage.session(root));
    const got = await caller('/api/user/manage', { method: 'POST', body: { id, action } });
    expect(got.message).toBe('');
  };
  const asks = async ({ url }: RunningServer, key: string): Promise<number> =>
    (await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })).status;

  it.each<[string, (user: User, tokenId: number) => Promise<unknown>]>([
    ['a deleted token', (user, tokenId) => here.parts.tokens.delete(user, tokenId)],
    ['a disabled token', (user, tokenId) => here.parts.tokens.update(user, tokenId, { status: 2 })],
    ['a disabled account', ({ id }) => managed(id, 'disable')],
    ['a deleted account', ({ id }) => managed(id, 'delete')],
  ])('%s', async (what, end) => {
    const stage = await setStage(here);
    const user = await stage.person(what.replaceAll(' ', '-'));
    const token = await stage.token(user);
    // Both believe it for ten seconds.
    expect([await asks(here, token.key), await asks(there, token.key)]).toEqual([200, 200]);
    await end(user, token.id);
    const refused = await asks(here, token.key);
    expect(refused).toBeGreaterThan(400);
    await expect.poll(() => asks(there, token.key), { interval: 20, timeout: 9000 }).toBe(refused);
  });
});

it('a node that starts beside others leaves their calls alone; the first of a new run clears up', async () => {
  const { ledger, users, database } = here.parts.stores;
  const userId = (await users.byLogin('root'))?.id ?? 0;
  const nowMs = Date.now();
  const hold = {
    id: 'held-by-here',
    userId,
    tokenId: null,
    quotaUnits: 1000,
    nowMs: nowMs - 1000,
    expiresAtMs: nowMs + 3_600_000,
  };
  expect(await ledger.hold(hold)).toBe('held');
  const isOpen = async () =>
    (await database.writer.selectFrom('holds').select('state').where('id', '=', hold.id).executeTakeFirst())
      ?.state;
  await there.stop();
  there = await start();
  expect(await isOpen()).toBe('open');
  const quota = async (server: RunningServer) => (await server.parts.stores.users.byId(userId))?.quotaUnits;
  expect(await quota(here)).toBe(99_999_000);
  await Promise.all([here.stop(), there.stop()]);
  [here, there] = [await start(), await start()];
  expect(await quota(here)).toBe(100_000_000);
});
