import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { createCaller } from '../../http/testing/caller.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { type CachingUpstream, startCachingUpstream } from '../testing/caching-upstream.ts';

/** Two channels of one priority and weight: a session stays at the one that answered it, because its cache is there. */

const MODEL = 'gpt-warm';
let scene: Scene;
let upstreams: readonly CachingUpstream[];
let alice: Spender;
let bob: Spender;
let made = 0;

beforeAll(async () => {
  upstreams = [await startCachingUpstream(), await startCachingUpstream()];
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
  await scene.set('CacheRatio', JSON.stringify({ [MODEL]: 0.5 }));
  await scene.set('RetryTimes', 3);
  for (const { url: baseUrl } of upstreams)
    await scene.stage.channel(scene.root, { type: 1, baseUrl, models: MODEL, groups: 'default' });
  alice = await scene.spender('alice', 1_000_000_000);
  bob = await scene.spender('bob', 1_000_000_000);
});
afterAll(async () => {
  await scene.close();
  for (const upstream of upstreams) await upstream.close();
});
beforeEach(() => {
  for (const upstream of upstreams) upstream.status = 200;
});

interface Said {
  readonly by?: Spender;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const same = [{ role: 'user', content: 'always the same' }];
const cacheRatio = (): number => {
  const { CacheRatio: ratios } = scene.server.parts.routing().options;
  return (ratios as Readonly<Record<string, number>>)[MODEL] ?? 1;
};
/** Calls once and says which of the two upstreams was asked; −1 if both were. */
const say = async ({ by = alice, headers = {}, body = {} }: Said): Promise<number> => {
  const before = upstreams.map(({ calls }) => calls);
  const call = createCaller(scene.server.url, { authorization: `Bearer sk-${by.key}`, ...headers });
  const messages = [{ role: 'user', content: `hello ${String((made += 1))}` }];
  const { status } = await call('/v1/chat/completions', {
    method: 'POST',
    body: { model: MODEL, messages, ...body },
  });
  expect(status).toBe(200);
  const asked = upstreams.map(({ calls }, at) => calls - (before[at] ?? 0));
  return asked[0] === 0 ? 1 : asked[1] === 0 ? 0 : -1;
};
const session = (id: string): Said => ({ headers: { 'x-claude-code-session-id': id } });
const times = async (count: number, said: () => Said): Promise<number[]> => {
  const places: number[] = [];
  for (let turn = 0; turn < count; turn += 1) places.push(await say(said()));
  return places;
};
const newestRow = async (): Promise<{ readonly other: Record<string, unknown> }> => {
  const { data } = await scene.asRoot('/api/log/?p=1&page_size=1&type=2');
  const { items } = data as { items: readonly { other: string }[] };
  return { other: JSON.parse(items[0]?.other ?? '{}') as Record<string, unknown> };
};
const sessionInfo = async (): Promise<unknown> =>
  ((await newestRow()).other['admin_info'] as Record<string, unknown>)['session'];

describe('a session', () => {
  it('of sixteen calls stays at one channel, while sixteen sessions spread over both', async () => {
    expect(new Set(await times(16, () => session('one'))).size).toBe(1);
    let next = 0;
    // All sixteen at one have a chance of 1 to 2^15.
    expect(new Set(await times(16, () => session(`of its own ${String((next += 1))}`))).size).toBe(2);
  });

  const long = 'a long prompt that a provider would cache. '.repeat(150);
  const marks: readonly (readonly [string, () => Said])[] = [
    ['prompt_cache_key', () => ({ body: { prompt_cache_key: 'k' } })],
    ["Codex's session-id", () => ({ headers: { 'session-id': '01a20728-4717' } })],
    ["older Codex's session_id", () => ({ headers: { session_id: '01a20728-4718' } })],
    ["opencode's x-session-affinity", () => ({ headers: { 'x-session-affinity': 'ses_1' } })],
    ['the beginning of a long prompt', () => ({ body: { messages: [{ role: 'user', content: long }] } })],
    [
      'the beginning of a body that is read in another thread',
      () => ({
        body: {
          messages: [
            { role: 'user', content: `${long} and more` },
            { role: 'assistant', content: 'x'.repeat(600_000 + (made += 1)) },
            { role: 'user', content: 'go on' },
          ],
        },
      }),
    ],
  ];
  for (const [name, said] of marks)
    it(`is told by ${name}`, async () => {
      expect(new Set(await times(12, said)).size).toBe(1);
      expect(await sessionInfo()).toMatchObject({ bound_to: expect.any(Number) as number });
    });

  it('is told by metadata.user_id, where nothing else names it', async () => {
    const metadata = { user_id: '{"device_id":"d","session_id":"c20fbc02"}' };
    const call = createCaller(scene.server.url, { 'x-api-key': `sk-${alice.key}` });
    const before = upstreams.map(({ calls }) => calls);
    for (let turn = 0; turn < 12; turn += 1) {
      const messages = [{ role: 'user', content: `turn ${String(turn)}` }];
      const body = { model: MODEL, max_tokens: 5, messages, metadata };
      expect((await call('/v1/messages', { method: 'POST', body })).status).toBe(200);
    }
    const asked = upstreams.map(({ calls }, at) => calls - (before[at] ?? 0));
    expect(asked.toSorted((one, other) => one - other)).toEqual([0, 12]);
  });

  it('moves when its channel dies, and stays at the new one; the row says why', async () => {
    const [home = 0] = await times(4, () => session('mover'));
    upstreams[home]!.status = 500;
    const row = await say(session('mover'));
    expect(row).toBe(-1);
    expect(await sessionInfo()).toMatchObject({ from: 'x-claude-code-session-id', passed_over: 'tried' });
    upstreams[home]!.status = 200;
    expect(new Set(await times(12, () => session('mover')))).toEqual(new Set([1 - home]));
  });

  it('is bound only by an answer, not by a failure', async () => {
    upstreams[0]!.status = 500;
    upstreams[1]!.status = 500;
    const call = createCaller(scene.server.url, {
      authorization: `Bearer sk-${alice.key}`,
      'x-session-id': 'unlucky',
    });
    const body = { model: MODEL, messages: [{ role: 'user', content: 'hi' }] };
    expect((await call('/v1/chat/completions', { method: 'POST', body })).status).toBeGreaterThan(499);
    upstreams[0]!.status = 200;
    upstreams[1]!.status = 200;
    await say({ headers: { 'x-session-id': 'unlucky' } });
    expect(await sessionInfo()).toEqual({ from: 'x-session-id' });
  });

  it('of one user is apart from another’s session of the same name', async () => {
    let differs = false;
    for (let turn = 0; turn < 20 && !differs; turn += 1) {
      const { headers } = session(`shared ${String(turn)}`);
      const place = await say({ headers: headers ?? {} });
      differs = (await say({ by: bob, headers: headers ?? {} })) !== place;
      expect(await sessionInfo()).toEqual({ from: 'x-claude-code-session-id' });
    }
    expect(differs).toBe(true);
  });

  it('stays nowhere while the option is off, or its model is excepted', async () => {
    for (const [option, off, on] of [
      ['affinity_setting.enabled', 'false', 'true'],
      ['affinity_setting.minutes_by_model', '{"gpt-*":0}', '{}'],
    ] as const) {
      await scene.set(option, off);
      expect(new Set(await times(20, () => session('free'))).size).toBe(2);
      expect(await sessionInfo()).toBeUndefined();
      await scene.set(option, on);
    }
  });

  it('leaves a channel that is disabled or leaves its group, without an error', async () => {
    const [home = 0] = await times(2, () => session('leaver'));
    const [row] = (await allChannels(scene.server.parts.stores.channels)).filter(
      ({ baseUrl }) => baseUrl === upstreams[home]!.url,
    );
    const change = async (body: object) => {
      const changed = await scene.asRoot('/api/channel/', { method: 'PUT', body: { id: row!.id, ...body } });
      expect(changed.success, changed.message).toBe(true);
    };
    await change({ group: 'vip' });
    expect(await say(session('leaver'))).toBe(1 - home);
    expect(await sessionInfo()).toMatchObject({ bound_to: row!.id, passed_over: 'other_group' });
    await change({ group: 'default' });
  });
});

describe('what the caches did', () => {
  const sums = async (by: Spender, path: string) => {
    const call = scene.stage.caller(await scene.stage.session(by.user));
    const got = await call(
      `/api/data/${path}&start_timestamp=${String(Math.floor(Date.now() / 1000) - 3600)}`,
    );
    return got.data as readonly Record<string, unknown>[] | null;
  };

  it('is told to its user by model and session, without channels; to an admin by channel', async () => {
    const carol = await scene.spender('carol', 1_000_000_000);
    const [home = 0] = await times(1, () => ({ by: carol, ...session('sums'), body: { messages: same } }));
    await times(3, () => ({ by: carol, ...session('sums'), body: { messages: same } }));
    expect((await newestRow()).other['cache_saved_units']).toBe(1500 * (1 - cacheRatio()));
    const [own] = (await sums(carol, 'self/cache?by=model')) ?? [];
    // Three of four calls read 1,500 of 2,000 tokens at half the price.
    expect(own).toMatchObject({
      name: MODEL,
      count: 4,
      prompt_tokens: 8000,
      cached_tokens: 4500,
      saved_quota: 4500 * (1 - cacheRatio()),
    });
    const [known] = (await sums(carol, 'self/sessions?')) ?? [];
    expect(known).toMatchObject({ model_name: MODEL, count: 4, cached_tokens: 4500, channels: 0 });
    expect(await sums(carol, 'cache?by=channel')).toBeNull();
    const root = { user: scene.root, key: '' };
    const all = (await sums(root, 'cache?by=channel&username=carol')) ?? [];
    const [place] = (await allChannels(scene.server.parts.stores.channels)).filter(
      ({ baseUrl }) => baseUrl === upstreams[home]!.url,
    );
    expect(all).toMatchObject([{ id: place!.id, count: 4, cached_tokens: 4500 }]);
  });

  it('of many sessions over two channels is as much as one channel alone would have read', async () => {
    const dave = await scene.spender('dave', 1_000_000_000);
    const [sessions, turns] = [24, 10];
    for (let turn = 0; turn < turns; turn += 1) {
      const calls = Array.from({ length: sessions }, (_, number) => ({
        by: dave,
        ...session(`share ${String(number)}`),
        body: { messages: [{ role: 'user', content: `only of session ${String(number)}` }] },
      }));
      await Promise.all(calls.map(say));
    }
    const [{ prompt_tokens: prompt, cached_tokens: cached } = {}] =
      (await sums(dave, 'self/cache?by=model')) ?? [];
    expect(prompt).toBe(sessions * turns * 2000);
    // One channel reads 1,500 tokens of every turn but the first of each session.
    expect(cached).toBe(sessions * (turns - 1) * 1500);
  });

  it('is forgotten by channel: sessions of that one are drawn anew', async () => {
    const { data } = await scene.asRoot('/api/channel/affinity');
    const [first] = data as readonly { channel_id: number; sessions: number }[];
    expect(first?.sessions).toBeGreaterThan(0);
    const cleared = await scene.asRoot('/api/channel/affinity/clear', {
      method: 'POST',
      body: { channel_id: first!.channel_id },
    });
    expect(cleared.data).toEqual({ forgotten: first!.sessions });
    const after = (await scene.asRoot('/api/channel/affinity')).data as readonly { channel_id: number }[];
    expect(after.map(({ channel_id: id }) => id)).not.toContain(first!.channel_id);
  });
});
