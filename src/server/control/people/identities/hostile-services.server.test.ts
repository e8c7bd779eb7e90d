import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInServices } from '#contract/sign-in-services.ts';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { createCaller, type Got } from '../../../http/testing/caller.ts';
import { openScene, type Scene } from '../../../http/testing/scene.ts';

/** A service that somebody signs in with, and that is broken, or in the hands of somebody else. */

type Say = (response: ServerResponse) => void;

let service: Server;
let scene: Scene;
/** The service's answers at its token address and at its profile address. */
let sayToken: Say;
let sayProfile: Say;
/** Requests for anything else. */
const elsewhere: string[] = [];

const json =
  (body: unknown): Say =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const TOKEN = json({ access_token: 'a', token_type: 'bearer' });
const PROFILE = json({ id: 77, username: 'octo' });

const serve = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume();
  if (request.url === '/oauth2/token') return sayToken(response);
  if (request.url === '/api/user') return sayProfile(response);
  if (request.url?.startsWith('/api/wechat/user?') === true) return sayProfile(response);
  elsewhere.push(request.url ?? '');
  return PROFILE(response);
};

const drips = new Set<NodeJS.Timeout>();
/** One byte in half a second, for ever. */
const drip: Say = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  drips.add(setInterval(() => response.write(' '), 500));
};
const away: Say = (response) =>
  response.writeHead(302, { location: `http://127.0.0.1:${String(port())}/inside` }).end();
const port = (): number => (service.address() as AddressInfo).port;

beforeAll(async () => {
  service = createServer(serve);
  await listening(service);
  scene = await openScene({ TOLLGATE_SERVICE_URLS: `linuxdo=http://127.0.0.1:${String(port())}` });
  const { needs, on } = signInServices.linuxdo.options;
  for (const option of needs) await scene.set(option, 'x');
  await scene.set(on, true);
});
afterAll(async () => {
  for (const timer of drips) clearInterval(timer);
  await scene.close();
  hangUp(service);
});

/** Comes back from the service with any code. */
const arrive = async (): Promise<Got> => {
  const anonymous = createCaller(scene.server.url);
  const begun = await anonymous('/api/oauth/state?provider=linuxdo');
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return anonymous(`/api/oauth/linuxdo?code=c&state=${String(begun.data)}`, { headers: { cookie } });
};

const answers: readonly (readonly [string, Say])[] = [
  ['a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>')],
  ['5 MB', json({ id: 77, username: 'octo', more: 'x'.repeat(5_000_000) })],
  ['nothing', (response) => response.writeHead(204).end()],
  ['a broken answer', (response) => void response.destroy()],
  [
    'half of what it said',
    (response) =>
      void response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
  ],
  ['no JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":')],
  ['a list', json([{ id: 77 }])],
  ['types of other things', json({ id: { a: 1 }, username: ['octo'], access_token: 7, token_type: {} })],
  ['by sending us to somewhere inside', away],
];

describe.each(['token', 'profile'] as const)('whose answer with the %s is', (what) => {
  it.each(answers)('%s confirms nobody', async (_, say) => {
    [sayToken, sayProfile] = what === 'token' ? [say, PROFILE] : [TOKEN, say];
    const got = await arrive();
    expect([got.status, got.success, got.headers.getSetCookie()]).toEqual([200, false, []]);
    expect(got.message).toMatch(/LinuxDO did not confirm who you are/);
    expect(elsewhere).toEqual([]);
  });
});

it('trickling byte by byte confirms nobody, and ends after ten seconds', async () => {
  [sayToken, sayProfile] = [TOKEN, drip];
  const from = performance.now();
  const got = await arrive();
  expect([got.status, got.success]).toEqual([200, false]);
  expect(performance.now() - from).toBeLessThan(20_000);
});

it('correct confirms the user', async () => {
  [sayToken, sayProfile] = [TOKEN, PROFILE];
  expect((await arrive()).data).toMatchObject({ username: 'octo' });
});

describe('WeChat’s server', () => {
  const enter = () => createCaller(scene.server.url)('/api/oauth/wechat?code=1234');
  const somebody = { success: true, data: 'an-open-id' };
  const status =
    (code: number): Say =>
    (response) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(somebody));

  beforeAll(async () => {
    await scene.set('WeChatServerAddress', `http://127.0.0.1:${String(port())}`);
    await scene.set('WeChatServerToken', 'x');
    await scene.set('WeChatAuthEnabled', true);
  });

  it.each([201, 302, 401, 404, 500, 503])('signs nobody in by an answer of %i', async (code) => {
    sayProfile = status(code);
    expect((await enter()).message).toBe('WeChat did not confirm who you are: no answer');
  });

  it('keeps nobody out while it is broken: its failures are not counted as guesses', async () => {
    sayProfile = status(500);
    await Promise.all(Array.from({ length: 60 }, enter));
    sayProfile = status(200);
    expect((await enter()).success).toBe(true);
  });
});
