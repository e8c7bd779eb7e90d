import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { createCaller } from '../http/testing/caller.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../http/testing/test-config.ts';
import { fillWithDemo, type RunningServer, startServer } from '../main.ts';
import { brokenRules } from '../store/testing/broken-rules.ts';

const folder = temporaryFolder();
let server: RunningServer;
beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

it('the demo fills an empty server with accounts, a key that works, and a week that every invariant holds for', async () => {
  const demo = await fillWithDemo(server, 'http://127.0.0.1:9');
  const call = createCaller(server.url);
  for (const { username, password } of [demo.root, demo.user]) {
    expect((await call('/api/user/login', { method: 'POST', body: { username, password } })).success).toBe(
      true,
    );
  }
  const models = await call('/v1/models', { headers: { Authorization: `Bearer ${demo.key}` } });
  expect([models.status, models.text.includes('gpt-4o-mini')]).toEqual([200, true]);
  const { logs, database, users, journal, redemptions } = server.parts.stores;
  const { total } = await logs.page({ type: 2 }, { page: 1, pageSize: 10 });
  expect(total).toBeGreaterThan(1000);
  const alice = await users.byLogin(demo.user.username);
  const { items } = await journal.list(alice?.id ?? 0, { page: 1, pageSize: 50 });
  expect(new Set(items.map(({ kind }) => kind))).toEqual(
    new Set(['grant', 'invite', 'transfer', 'redeem', 'topup']),
  );
  const everybody = await users.list({ page: 1, pageSize: 50 });
  expect(new Set(everybody.items.map(({ group }) => group))).toEqual(new Set(['default', 'vip', 'svip']));
  expect(everybody.items.filter(({ affCount }) => affCount > 0).map(({ username }) => username)).toEqual([
    'alice',
    'root',
  ]);
  const codes = await redemptions.list({ page: 1, pageSize: 50 });
  expect(new Set(codes.items.map(({ status }) => status))).toEqual(new Set([1, 2, 3]));
  expect(await brokenRules(database)).toEqual([]);
  await expect(fillWithDemo(server, 'http://127.0.0.1:9')).rejects.toThrow('empty database');
});
