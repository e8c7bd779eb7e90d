import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../../http/testing/scene.ts';

/** Mail goes through the same guard as calls to upstreams, and what servers we ask say is the operator's alone. */

let inner: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  inner = createServer((socket) => {
    connections += 1;
    socket.end('554 banner-of-an-inner-service\r\n');
  }).listen(0, '127.0.0.1');
  await once(inner, 'listening');
  port = (inner.address() as { port: number }).port;
});
afterAll(() => inner.close());

const withMail = async (environment: Readonly<Record<string, string>>): Promise<Scene> => {
  const scene = await openScene(environment);
  await scene.set('SMTPPort', port);
  await scene.set('SMTPFrom', 'gate@site.example');
  return scene;
};
const testMail = async ({ asRoot }: Scene) =>
  asRoot('/api/option/test_mail', {
    method: 'POST',
    body: { to: 'a@example.com' },
    headers: { 'Accept-Language': 'en' },
  });

it('no mail server on this machine or in this network is connected to, unless the environment allows it', async () => {
  const strict = await withMail({ TOLLGATE_ALLOW_PRIVATE_MAIL: 'false' });
  for (const host of ['127.0.0.1', 'localhost', '::1', '10.0.0.1', '169.254.169.254', '0.0.0.0']) {
    await strict.set('SMTPServer', host);
    const { success, message } = await testMail(strict);
    expect([host, success, message]).toEqual([
      host,
      false,
      expect.stringContaining('TOLLGATE_ALLOW_PRIVATE_MAIL=true'),
    ]);
  }
  expect(connections).toBe(0);
  await strict.close();
});

it('only the super admin sees what the mail server said; others learn that no mail was sent', async () => {
  const open = await withMail({});
  await open.set('SMTPServer', '127.0.0.1');
  expect((await testMail(open)).message).toContain('banner-of-an-inner-service');
  const answer = await open.stage.caller()('/api/verification?email=someone@example.com', {
    headers: { 'Accept-Language': 'zh' },
  });
  expect([answer.success, answer.message]).toEqual([false, '邮件发送失败，请稍后再试或联系管理员']);
  expect(answer.text).not.toContain('banner');
  expect(open.log.lines.some((line) => line.includes('a mail with a code was not sent'))).toBe(true);
  await open.close();
});

it('what the address of a sign-in service answers is not shown to users signing in', async () => {
  const site = await openScene();
  const options = [
    { key: 'oidc.well_known', value: `http://127.0.0.1:${port}/.well-known/openid-configuration` },
    { key: 'oidc.client_id', value: 'a client' },
    { key: 'oidc.client_secret', value: 'a secret' },
    { key: 'oidc.enabled', value: true },
  ];
  expect((await site.asRoot('/api/option/batch', { method: 'PUT', body: { options } })).success).toBe(true);
  const got = await site.stage.caller()('/api/oauth/state?provider=oidc', {
    headers: { 'Accept-Language': 'en' },
  });
  expect([got.success, got.message]).toEqual([false, 'OIDC did not confirm who you are: no answer']);
  await site.close();
});
