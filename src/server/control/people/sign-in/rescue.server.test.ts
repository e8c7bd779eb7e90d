import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { readConfig } from '../../../config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import { createCaller, type Got } from '../../../http/testing/caller.ts';
import { PASSWORD, setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';

const folder = temporaryFolder();
let server: RunningServer;

beforeAll(async () => {
  const environment = { ...testEnvironment(folder.path), TOLLGATE_LOGIN_LIMIT_PER_ACCOUNT: '3' };
  server = await startServer(readConfig(environment), { log: keptLog() });
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const login = (password: string): Promise<Got> =>
  createCaller(server.url)('/api/user/login', { method: 'POST', body: { username: 'root', password } });

it('whoever runs the server lets the super admin in again, whatever locked the door', async () => {
  expect(await server.parts.rescue()).toBeUndefined();
  const stage = await setStage(server);
  const root = stage.caller(await stage.session(await stage.person('root', role.root)));
  const post = (path: string, body?: object) => root(path, { method: 'POST', body });
  const { secret } = (await post('/api/user/2fa/setup')).data as { secret: string };
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  expect((await post('/api/user/2fa/enable', { code })).success).toBe(true);
  for (let guess = 0; guess < 4; guess += 1) await login('wrong');
  expect((await login(PASSWORD)).status).toBe(429);
  for (const [key, value] of [
    ['TurnstileSiteKey', 'mistyped'],
    ['TurnstileSecretKey', 'mistyped'],
    ['TurnstileCheckEnabled', 'true'],
    ['PasswordLoginEnabled', 'false'],
  ])
    expect((await root('/api/option', { method: 'PUT', body: { key, value } })).message).toBe('');
  expect((await login(PASSWORD)).message).toMatch(/human verification failed/);

  const rescued = await server.parts.rescue();
  expect(rescued).toMatchObject({ username: 'root', password: expect.stringMatching(/^\w{16}$/) });
  expect((await root('/api/user/self')).status).toBe(401);
  expect((await login(PASSWORD)).success).toBe(false);
  expect((await login(rescued?.password ?? '')).data).toMatchObject({ username: 'root', role: role.root });
});
