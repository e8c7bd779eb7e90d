import { get } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpoints } from '#contract/api/endpoints.ts';
import { openScene, type Scene } from './testing/scene.ts';

/**
 * Some calls change something by GET. A link to one, opened from a mail or a chat program, or from what a model wrote on our
 * own page, signs nobody in or out.
 */

let scene: Scene;
let session: Readonly<Record<string, string>>;

beforeAll(async () => {
  scene = await openScene();
  session = await scene.stage.session(await scene.stage.person('opener'));
});
afterAll(() => scene.close());

/** Not with `fetch`, whose headers say that it is not a navigation. */
const open = (path: string, headers: Readonly<Record<string, string>>) =>
  new Promise<{ readonly status: number; readonly cookies: readonly string[] }>((resolve, reject) => {
    get(`${scene.server.url}${path}`, { headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, cookies: response.headers['set-cookie'] ?? [] });
    }).on('error', reject);
  });

const fromMail = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' } as const;
const opened = [
  ['from a mail', fromMail],
  ['on our own page', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' }],
] as const;

/** What needs a session: much of it changes something as well, such as making an access token or binding an account. */
const ofSessions = endpoints
  .filter(({ method, access }) => method === 'GET' && access !== 'public')
  .map(({ path }) => path.replace(':month', '2026-10').replaceAll(/:\w+/g, '1'));

it.each(opened)('a link that is opened %s does nothing', async (_, headers) => {
  for (const path of [
    '/api/user/logout',
    '/api/oauth/wechat?code=1234',
    '/api/oauth/telegram/login?id=1&auth_date=1&hash=00',
    '/api/oauth/state?provider=github',
    '/api/oauth/github?code=1&state=2',
    '/api/reset_password?email=opener@site.example',
    '/api/verification?email=opener@site.example',
    '/api/oauth/telegram/bind?id=1&auth_date=1&hash=00',
    ...ofSessions,
  ])
    expect([path, await open(path, { ...session, ...headers })]).toEqual([
      path,
      { status: 403, cookies: [] },
    ]);
  expect((await open('/api/user/self', session)).status).toBe(200);
});

it('what anybody may read may be opened', async () => {
  for (const path of ['/api/status', '/api/pricing']) expect((await open(path, fromMail)).status).toBe(200);
});
