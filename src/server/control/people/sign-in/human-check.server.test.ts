import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { readConfig } from '../../../config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import { createCaller, type Got } from '../../../http/testing/caller.ts';
import { PASSWORD, type Stage, setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';

/** Whatever happens to the captcha service, nobody passes because it does not answer. */

const folder = temporaryFolder();
let service: Server;
let server: RunningServer;
let stage: Stage;
let redirected = 0;

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const faults: Readonly<Record<string, (response: ServerResponse) => void>> = {
  silent: () => {},
  half: (response) => void response.writeHead(200).write('{"success":'),
  reset: (response) => void response.destroy(),
  broken: (response) => json(response, 500, { success: true }),
  'not-signed-in': (response) => json(response, 401, { success: true }),
  forbidden: (response) => json(response, 403, { success: true }),
  busy: (response) => json(response, 429, { success: true }),
  page: (response) => void response.writeHead(200).end('<html>true</html>'),
  text: (response) => json(response, 200, { success: 'true' }),
  number: (response) => json(response, 200, { success: 1 }),
  list: (response) => json(response, 200, [{ success: true }]),
  empty: (response) => void response.writeHead(200).end(),
  moved: (response) => void response.writeHead(302, { location: '/human' }).end(),
  // More than is read of any answer.
  endless: (response) => void response.writeHead(200).end(`{"success":true,"x":"${'x'.repeat(9_000_000)}"}`),
};

beforeAll(async () => {
  service = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/human') redirected += 1;
      const answer = new URLSearchParams(text).get('response') ?? '';
      const fault = faults[answer];
      if (fault === undefined)
        json(response, 200, { success: answer === 'human' || request.url === '/human' });
      else fault(response);
    });
  });
  const url = await listening(service);
  const environment = { ...testEnvironment(folder.path), TOLLGATE_SERVICE_URLS: `turnstile=${url}` };
  server = await startServer(readConfig(environment), { log: keptLog() });
  stage = await setStage(server);
  await stage.person('checked');
  for (const [key, value] of Object.entries({
    TurnstileSiteKey: 'site',
    TurnstileSecretKey: 'secret',
    TurnstileCheckEnabled: 'true',
  }))
    await server.parts.stores.options.set(key, value, Date.now());
  await server.parts.refreshRouting();
});
afterAll(async () => {
  hangUp(service);
  await server.stop();
  folder.remove();
});

const login = (turnstile: string, language = 'en'): Promise<Got> =>
  createCaller(server.url)(`/api/user/login?turnstile=${turnstile}`, {
    method: 'POST',
    body: { username: 'checked', password: PASSWORD },
    headers: { 'Accept-Language': language },
  });
const AWAY = 'human verification failed: its service does not answer, try again later';

it('a human gets in, a program does not, and each is told why', async () => {
  expect((await login('human')).data).toMatchObject({ username: 'checked' });
  for (const answer of ['robot', ''])
    expect((await login(answer)).message).toBe('human verification failed, refresh the page and try again');
});

it.concurrent.each(Object.keys(faults))(
  'an answer that is %s is no, in time, and said as it is',
  async (fault) => {
    const got = await login(fault);
    expect([got.status, got.success, got.message, got.headers.getSetCookie()]).toEqual([
      200,
      false,
      AWAY,
      [],
    ]);
    expect(redirected).toBe(0);
  },
);

it('the same holds for every call that asks for the check, in Chinese too', async () => {
  expect((await login('broken', 'zh')).message).toBe('人机验证失败：验证服务没有响应，请稍后再试');
  const call = createCaller(server.url);
  const body = { username: 'newcomer', password: PASSWORD };
  for (const got of [
    await call('/api/user/register?turnstile=broken', { method: 'POST', body }),
    await call('/api/verification?email=a@example.com&turnstile=broken'),
    await call('/api/reset_password?email=a@example.com&turnstile=broken'),
  ])
    expect([got.status, got.message]).toEqual([200, AWAY]);
  expect(await server.parts.stores.users.isNameTaken('newcomer')).toBe(false);
});

it('sign-in is refused while the service cannot be reached', async () => {
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  expect((await login('human')).message).toBe(AWAY);
});
