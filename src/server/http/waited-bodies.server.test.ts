import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { User } from '#core/user/user.ts';
import { systemClock } from '../system.ts';
import { openScene, type Scene } from './testing/scene.ts';
import { PASSWORD } from './testing/stage.ts';
import { type SmallUpstream, startSmallUpstream } from './testing/small-upstream.ts';

/** A request that was begun in a session, and whose body comes when there is none any more, does nothing. */

let scene: Scene;
let upstream: SmallUpstream;
let count = 0;
let passedMs = 0;

beforeAll(async () => {
  const running = systemClock.monotonic.bind(systemClock);
  vi.spyOn(systemClock, 'monotonic').mockImplementation(() => running() + passedMs);
  upstream = await startSmallUpstream();
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: 'gpt-small' });
  await scene.set('ModelRatio', '{"gpt-small":1}');
});
afterAll(async () => {
  vi.restoreAllMocks();
  await scene.close();
  await upstream.close();
});

/** Sends the head, and the body once the server has asked for it, `meanwhile` is over and time has passed. */
const slowly = (
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
  meanwhile: () => Promise<unknown>,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const sent = httpRequest(`${scene.server.url}${path}`, {
      method: 'POST',
      headers: {
        ...headers,
        expect: '100-continue',
        'content-type': 'application/json',
        'content-length': String(text.length),
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('continue', () => {
      meanwhile().then(() => {
        // Longer than a session may be believed that another node has ended.
        passedMs += 2000;
        sent.end(text);
      }, reject);
    });
    sent.flushHeaders();
  });

const rich = async () => {
  const { user, key } = await scene.spender(`slow-${(count += 1)}`, 1_000_000);
  return { user, key, session: await scene.stage.session(user) };
};
const changePassword = async (user: User): Promise<unknown> => {
  const call = scene.stage.caller(await scene.stage.session(user));
  const body = { password: 'another good password', original_password: PASSWORD };
  const got = await call('/api/user/self', { method: 'PUT', body });
  expect(got.message).toBe('');
  return got;
};
const chat = { model: 'gpt-small', messages: [{ role: 'user', content: 'hi' }] };

describe('of a session', () => {
  it('a key is made where the session is still there', async () => {
    const { session } = await rich();
    expect(await slowly('/api/token', session, { name: 'kept' }, async () => undefined)).toBe(200);
  });

  it('no key is made once a new password has ended it', async () => {
    const { user, session } = await rich();
    expect(await slowly('/api/token', session, { name: 'stolen' }, () => changePassword(user))).toBe(401);
    const list = await scene.stage.caller(await scene.stage.session(user))('/api/token');
    expect(list.text).not.toContain('stolen');
  });

  it('nothing is done for somebody whose rank was taken', async () => {
    const admin = await scene.stage.person(`slow-${(count += 1)}`, 10);
    const session = await scene.stage.session(admin);
    const demote = () =>
      scene.asRoot('/api/user/manage', { method: 'POST', body: { id: admin.id, action: 'demote' } });
    const wish = { username: 'made-late', password: PASSWORD };
    expect(await slowly('/api/user', session, wish, demote)).toBe(401);
    expect((await scene.asRoot('/api/user/search?keyword=made-late')).data).toMatchObject({ total: 0 });
  });

  it('the playground spends nothing', async () => {
    const { user, session } = await rich();
    expect(await slowly('/pg/chat/completions', session, chat, () => changePassword(user))).toBe(401);
    const { users } = scene.server.parts.stores;
    expect((await users.byId(user.id))?.usedQuotaUnits).toBe(0);
  });
});

it.each([
  ['deleted', (id: number, user: User) => scene.server.parts.tokens.delete(user, id)],
  ['switched off', (id: number, user: User) => scene.server.parts.tokens.update(user, id, { status: 2 })],
] as const)('of a key that is %s meanwhile no call is made', async (_, end) => {
  const { user, key } = await rich();
  const { items } = await scene.server.parts.tokens.list(user, { page: 1, pageSize: 1 });
  const asked = upstream.requests.length;
  const status = await slowly('/v1/chat/completions', { authorization: `Bearer sk-${key}` }, chat, () =>
    Promise.resolve(end(items[0]?.id ?? 0, user)),
  );
  expect([status >= 400 && status < 500, upstream.requests.length]).toEqual([true, asked]);
});
