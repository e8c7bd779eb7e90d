import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../http/testing/small-upstream.ts';

/** What programs for gateways of this family ask beside the calls of the specification, and the shapes they expect. */

const MODEL = 'gpt-small';
let scene: Scene;
let upstream: SmallUpstream;
let spender: Spender;

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: MODEL, groups: 'default' });
  await scene.set('ModelRatio', JSON.stringify({ [MODEL]: 3503 }));
  await scene.set('CompletionRatio', JSON.stringify({ [MODEL]: 1 }));
  spender = await scene.spender('caller', 10_000_000, 5_000_000);
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const withKey = (key: string) => scene.stage.caller({ authorization: `Bearer sk-${key}` });
const chat = (key: string) =>
  withKey(key)('/v1/chat/completions', {
    method: 'POST',
    body: { model: MODEL, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] },
  });
const asUser = async () => scene.stage.caller(await scene.stage.session(spender.user));

describe('a program that has nothing but a key', () => {
  it("reads the token's quota, its use and its rest as soon as a call is answered", async () => {
    const widget = withKey(spender.key);
    const before = JSON.parse((await widget('/api/usage/token/')).text) as { data: { total_used: number } };
    expect(before.data).toMatchObject({ object: 'token_usage', total_granted: 5_000_000, total_used: 0 });
    expect((await chat(spender.key)).status).toBe(200);
    const got = await widget('/api/usage/token');
    expect(JSON.parse(got.text)).toMatchObject({
      code: true,
      data: {
        name: 'a token',
        total_granted: 5_000_000,
        total_used: 35_030,
        total_available: 4_964_970,
        unlimited_quota: false,
        model_limits_enabled: false,
        expires_at: 0,
      },
    });
    const bill = JSON.parse((await widget('/dashboard/billing/usage')).text) as { total_usage: number };
    // 35,030 / 500,000 * 100 is 7.005999999999999 where it is not rounded.
    expect(bill.total_usage).toBe(7.006);
  });

  it('reads of the account as soon, where the site tells of that', async () => {
    const { key } = await scene.spender('account', 10_000_000, 5_000_000);
    const widget = withKey(key);
    const read = async (what: string): Promise<Record<string, number>> =>
      JSON.parse((await widget(`/dashboard/billing/${what}`)).text) as Record<string, number>;
    await scene.set('DisplayTokenStatEnabled', false);
    const limit = { soft_limit_usd: 20, hard_limit_usd: 20, system_hard_limit_usd: 20 };
    for (const total_usage of [0, 7.006, 14.012]) {
      expect(await read('usage')).toMatchObject({ total_usage });
      expect(await read('subscription')).toMatchObject(limit);
      expect((await chat(key)).status).toBe(200);
    }
    await scene.set('DisplayTokenStatEnabled', true);
  });

  it('is told the same quota while calls run: what they hold is granted, though neither left nor used', async () => {
    const { user, key } = await scene.spender('running', 10_000_000, 5_000_000);
    const [token] = (await scene.server.parts.tokens.list(user, { page: 1, pageSize: 1 })).items;
    const nowMs = Date.now();
    const hold = { id: 'running', userId: user.id, tokenId: token?.id ?? 0, quotaUnits: 2_000_000 };
    await scene.server.parts.stores.ledger.hold({ ...hold, nowMs, expiresAtMs: nowMs + 9e9 });
    const read = async (path: string): Promise<unknown> => JSON.parse((await withKey(key)(path)).text);
    expect(await read('/dashboard/billing/subscription')).toMatchObject({ hard_limit_usd: 10 });
    expect(await read('/api/usage/token')).toMatchObject({
      data: { total_granted: 5_000_000, total_used: 0, total_available: 3_000_000 },
    });
    await scene.set('DisplayTokenStatEnabled', false);
    expect(await read('/dashboard/billing/subscription')).toMatchObject({ hard_limit_usd: 20 });
    await scene.set('DisplayTokenStatEnabled', true);
  });

  it('reads the rows of that token, and of no other of its owner', async () => {
    const other = await scene.stage.token(spender.user);
    await scene.server.parts.tokens.update(spender.user, other.id, { unlimited: true });
    expect((await chat(other.key)).status).toBe(200);
    for (const read of [
      withKey(spender.key)('/api/log/token'),
      scene.stage.caller()(`/api/log/token?key=sk-${spender.key}`),
    ]) {
      const got = await read;
      expect(got.success).toBe(true);
      expect(got.data).toMatchObject([{ model_name: MODEL, quota: 35_030, token_name: 'a token' }]);
      expect(got.text).not.toContain('admin_info');
    }
  });

  it("is refused with a wrong key, in the console's format", async () => {
    for (const path of ['/api/usage/token', '/api/log/token']) {
      const got = await withKey('wrong')(path);
      expect([got.status, got.success, got.message]).toEqual([401, false, 'invalid or expired token']);
    }
  });
});

describe('panels of this family', () => {
  it('read groups without signing in, their own models under both names, and an empty list of monitors', async () => {
    const anonymous = scene.stage.caller();
    expect((await anonymous('/api/user/groups')).data).toMatchObject({ default: { ratio: 1 } });
    expect((await anonymous('/api/uptime/status')).data).toEqual([]);
    expect((await (await asUser())('/api/user/available_models')).data).toEqual([MODEL]);
  });

  it('find no object under text that is not an id', async () => {
    const root = scene.asRoot;
    for (const path of ['/api/user/checkin', '/api/channel/ops', '/api/token/batch', '/api/redemption/none'])
      expect((await root(path)).status).toBe(404);
    expect((await root('/api/user/0')).status).toBe(400);
  });

  it('send a channel inside `{mode, channel}`, with fields that are unused here; unknown ones are refused', async () => {
    const channel = {
      type: 1,
      name: 'wrapped',
      key: 'one\ntwo',
      models: 'm',
      base_url: upstream.url,
      header_override: '',
      settings: '{}',
    };
    const made = await scene.asRoot('/api/channel/', {
      method: 'POST',
      body: { mode: 'batch', multi_key_mode: 'random', channel },
    });
    expect(made.message).toBe('');
    const found = (await scene.asRoot('/api/channel/search?keyword=wrapped')).data as {
      items: { id: number }[];
    };
    expect(found.items).toHaveLength(2);
    const id = found.items[0]?.id ?? 0;
    const body = { mode: 'single', channel: { id, name: 'renamed' } };
    expect((await scene.asRoot('/api/channel/', { method: 'PUT', body })).data).toMatchObject({
      name: 'renamed',
    });
    const pool = {
      mode: 'multi_to_single',
      multi_key_mode: 'random',
      channel: { ...channel, name: 'pooled' },
    };
    expect((await scene.asRoot('/api/channel/', { method: 'POST', body: pool })).message).toBe('');
    const pooled = await scene.asRoot('/api/channel/search?keyword=pooled');
    expect(pooled.data).toMatchObject({ items: [{ pool: { mode: 'random', keys: 2 } }] });
    const odd = await scene.asRoot('/api/channel/', { method: 'POST', body: { mode: 'odd', channel } });
    expect(odd.message).toContain('mode');
    const invented = { ...channel, invented: 1 };
    for (const refused of [invented, { mode: 'single', channel: invented }, { mode: 'odd', channel }])
      expect((await scene.asRoot('/api/channel/', { method: 'POST', body: refused })).status).toBe(400);
  });

  it('send the groups of a channel as a list too, beside their text or alone', async () => {
    const made = { type: 1, name: 'listed', key: 'k', models: 'm', base_url: upstream.url };
    const send = (method: string, body: object) => scene.asRoot('/api/channel/', { method, body });
    const both = { ...made, group: 'default,vip', groups: ['default', 'vip'] };
    expect((await send('POST', both)).message).toBe('');
    const found = await scene.asRoot('/api/channel/search?keyword=listed');
    expect(found.data).toMatchObject({ items: [{ group: 'default,vip' }] });
    const { id } = (found.data as { items: [{ id: number }] }).items[0];
    expect((await send('PUT', { id, groups: ['svip', 'vip'] })).data).toMatchObject({ group: 'svip,vip' });
    expect((await send('PUT', { id, groups: ['vip'], group: 'default' })).data).toMatchObject({
      group: 'default',
    });
    expect((await send('PUT', { id, priority: 1 })).data).toMatchObject({ group: 'default', priority: 1 });
    expect((await send('PUT', { id, groups: 'vip' })).message).toContain('groups');
  });

  it('register with no invite as null, and make accounts with a remark', async () => {
    const account = { username: 'uninvited', password: 'a long enough one', aff_code: null };
    const registered = await scene.stage.caller()('/api/user/register', { method: 'POST', body: account });
    expect(registered.message).toBe('');
    const managed = { username: 'remarked', password: 'a long enough one', remark: 'of sales' };
    expect((await scene.asRoot('/api/user/', { method: 'POST', body: managed })).message).toBe('');
  });

  it('delete only own tokens by their ids', async () => {
    const mine = [await scene.stage.token(spender.user, 'one'), await scene.stage.token(spender.user, 'two')];
    const { key } = await scene.spender('somebody', 10_000);
    const theirs = (await scene.server.parts.tokens.list(scene.root, { page: 1, pageSize: 1 })).total;
    const another = await scene.stage.token(scene.root, 'of root');
    const ids = [...mine.map(({ id }) => id), another.id, mine[0]?.id, 999_999];
    const got = await (await asUser())('/api/token/batch', { method: 'POST', body: { ids } });
    expect([got.message, got.data]).toEqual(['', 2]);
    expect((await withKey(mine[0]?.key ?? '')('/v1/models')).status).toBe(401);
    expect((await withKey(another.key)('/v1/models')).status).toBe(200);
    expect((await scene.server.parts.tokens.list(scene.root, { page: 1, pageSize: 1 })).total).toBe(
      theirs + 1,
    );
    expect((await withKey(key)('/v1/models')).status).toBe(200);
  });

  it('sign in with `remember`, and save tokens with `cross_group_retry`', async () => {
    const login = { username: spender.user.username, password: 'wrong', remember: true };
    expect((await scene.stage.caller()('/api/user/login', { method: 'POST', body: login })).status).toBe(200);
    const body = { name: 'retries', cross_group_retry: true };
    expect((await (await asUser())('/api/token/', { method: 'POST', body })).success).toBe(true);
  });
});
