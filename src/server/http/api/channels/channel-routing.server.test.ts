import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../testing/small-upstream.ts';

/** What would become of a call is what becomes of it; telling it sends and changes nothing. */

let upstream: SmallUpstream;
let scene: Scene;
let alice: Spender;
const ids: Record<string, number> = {};
const SECRET = 'sk-very-secret-key-of-upstream';

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  const { stage, root } = scene;
  const overrides = [
    { op: 'set', path: 'provider.sort', value: 'price' },
    { op: 'pass', on: 'header', path: 'x-app' },
    { op: 'set', path: 'never', value: 1, when: { model: 'other' } },
  ];
  const make = async (name: string, more: object): Promise<void> => {
    const row = await stage.channel(root, {
      baseUrl: upstream.url,
      name,
      key: SECRET,
      models: 'one',
      ...more,
    });
    ids[name] = row.id;
  };
  await make('first', {
    weight: 3,
    setting: JSON.stringify({ overrides, cost: { models: { one: { input: 1, output: 1 } } } }),
  });
  await make('second', { weight: 1 });
  await make('low', { priority: -1 });
  await make('short', { maxInputTokens: 10 });
  await make('off', { status: 2 });
  await make('vip', { groups: 'vip' });
  await make('alone', { models: 'alone', setting: JSON.stringify({ overrides }) });
  await make('talking', { models: 'talk,one-realtime', setting: JSON.stringify({ overrides }) });
  await make('limited', { models: 'busy', setting: '{"capacity":{"calls_per_minute":1}}' });
  await make('spare', { models: 'busy', priority: -1 });
  await make('claude', { type: 14, models: 'claude-m', modelMapping: '{"claude-m":"claude-upstream"}' });
  await scene.set('ModelRatio', '{"one":1,"alone":1,"busy":1,"claude-m":1,"one-realtime":1}');
  await scene.set('global.model_aliases', '{"alias":"one"}');
  alice = await scene.spender('alice', 10_000_000);
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const send = (path: string, body: object) => scene.asRoot(path, { method: 'POST', body });
const messages = [{ role: 'user', content: 'Hi' }];

describe('a preview', () => {
  it.each([
    ['as the caller began it', { model: 'alone', messages, max_tokens: 5 }],
    ['in the order of its fields', { max_tokens: 5, messages, stream: false, model: 'alone' }],
  ])('is the request that goes out %s, with stars for the key', async (_, body) => {
    const reply = await fetch(`${scene.server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer sk-${alice.key}`,
        'content-type': 'application/json',
        'x-app': 'cli',
      },
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(200);
    const sent = upstream.requests.at(-1);
    expect(sent?.headers['x-app']).toBe('cli');
    const before = upstream.requests.length;
    const { success, message, data } = await send('/api/channel/preview', {
      id: ids['alone'],
      model: 'alone',
      stream: 'stream' in body,
      request: body,
      headers: { 'X-App': 'cli', Authorization: 'Bearer caller' },
    });
    expect([success, message]).toEqual([true, '']);
    expect(data).toMatchObject({
      method: 'POST',
      url: expect.stringContaining('/v1/chat/completions') as unknown,
      headers: { authorization: '***', 'x-app': 'cli' },
      format: 'openai-chat',
      model: 'alone',
      upstream_model: 'alone',
      rules: 2,
      signed_later: false,
    });
    expect((data as { body: string }).body).toBe(sent?.body);
    expect(sent?.body).toContain('provider');
    expect(JSON.stringify(data)).not.toContain(SECRET);
    expect(JSON.stringify(data)).not.toContain('caller');
    expect(upstream.requests.length).toBe(before);
  });

  it('works for an unsaved channel in a form, and for a converted request', async () => {
    const channel = { type: 14, key: SECRET, models: 'claude-m', base_url: upstream.url };
    const { data, message } = await send('/api/channel/preview', {
      channel: { ...channel, setting: '{"overrides":[{"op":"set","path":"metadata.user_id","value":"us"}]}' },
      request: { messages },
    });
    expect(message).toBe('');
    expect(data).toMatchObject({ format: 'anthropic-messages', headers: { 'x-api-key': '***' } });
    expect(JSON.parse((data as { body: string }).body)).toMatchObject({
      model: 'claude-m',
      metadata: { user_id: 'us' },
    });
  });

  it('reports the error a caller would get, and refuses drafts that cannot be saved', async () => {
    const bad = await send('/api/channel/preview', { id: ids['first'], request: { messages: 'none' } });
    expect([bad.success, bad.message]).toEqual([false, expect.stringContaining('messages')]);
    const setting = '{"overrides":[{"op":"jump","path":"a"}]}';
    const channel = { type: 1, key: 'k', models: 'one', base_url: upstream.url, setting };
    const unsaved = await send('/api/channel/preview', { channel, request: { messages } });
    expect([unsaved.success, unsaved.message]).toEqual([false, expect.stringContaining('overrides.0.op')]);
  });
});

interface Told {
  readonly channels: readonly {
    id: number;
    chance: number;
    reason: string;
    cost_usd: number | null;
    rules: number;
  }[];
}

describe('an explanation', () => {
  it('says where a session stays, by its name and by its row, and binds nothing by asking', async () => {
    const body = { model: 'one', messages, prompt_cache_key: 'morning' };
    const reply = await fetch(`${scene.server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(200);
    const ask = async (more: object) => {
      const { data, message } = await send('/api/channel/explain', {
        user_id: alice.user.id,
        model: 'one',
        ...more,
      });
      expect(message).toBe('');
      return data as Told & { session: { channel_id: number; channel: string; passed_over: string } | null };
    };
    expect((await ask({})).session).toBeNull();
    const { session, channels } = await ask({ prompt_cache_key: 'morning' });
    expect(session).toMatchObject({ from: 'prompt_cache_key', passed_over: '' });
    const bound = session?.channel_id ?? 0;
    expect([ids['first'], ids['second']]).toContain(bound);
    expect(channels.find(({ id }) => id === bound)?.chance).toBe(1);
    const other = channels.find(({ id }) => id !== bound && [ids['first'], ids['second']].includes(id));
    expect(other).toMatchObject({ chance: 0, reason: 'bound_elsewhere' });
    // The row knows the session by its id; nobody else has it.
    const rows = await scene.asRoot('/api/log?type=2&page_size=1&username=alice');
    const [row] = (rows.data as { items: { other: string }[] }).items;
    const { session: id } = JSON.parse(row?.other ?? '{}') as { session: string };
    expect((await ask({ session: id })).session).toMatchObject({ from: 'row', channel_id: bound });
    expect((await ask({ session: id, user_id: scene.root.id })).session).toMatchObject({ channel_id: 0 });
    // Of one that was only asked about nothing is remembered, however often.
    for (let at = 0; at < 3; at += 1)
      expect((await ask({ prompt_cache_key: 'evening' })).session).toMatchObject({ channel_id: 0 });
    await scene.asRoot('/api/channel', { method: 'PUT', body: { id: bound, status: 2 } });
    expect((await ask({ session: id })).session).toMatchObject({ passed_over: 'disabled' });
    await scene.asRoot('/api/channel', { method: 'PUT', body: { id: bound, status: 1 } });
  });

  it('names every channel of the model with its chance, or why it is left out', async () => {
    const { data, message } = await send('/api/channel/explain', {
      user_id: alice.user.id,
      model: 'alias',
      prompt_tokens: 1000,
      output_tokens: 500,
      headers: { 'x-app': 'cli' },
    });
    expect(message).toBe('');
    expect(data).toMatchObject({
      model: 'one',
      asked_model: 'alias',
      username: 'alice',
      groups: ['default'],
      group: 'default',
      refusal: '',
      cooling_taken: false,
      quota: 1500,
      total: 6,
    });
    const { channels } = data as Told;
    expect(channels.map(({ id, chance, reason }) => [id, chance, reason])).toEqual([
      [ids['first'], 0.75, ''],
      [ids['second'], 0.25, ''],
      [ids['short'], 0, 'too_long'],
      [ids['off'], 0, 'disabled'],
      [ids['vip'], 0, 'other_group'],
      [ids['low'], 0, 'lower_priority'],
    ]);
    expect(channels[0]).toMatchObject({ rules: 2, cost_usd: 0.0015 });
    expect(channels[1]).toMatchObject({ rules: 0, cost_usd: null });
    expect(JSON.stringify(data)).not.toContain(SECRET);
  });

  it('passes over a channel that is at its limit, and counts nothing itself', async () => {
    const told = async () => {
      const { data } = await send('/api/channel/explain', { model: 'busy' });
      return (data as Told).channels.map(({ id, chance, reason }) => [id, chance, reason]);
    };
    const free = [
      [ids['limited'], 1, ''],
      [ids['spare'], 0, 'lower_priority'],
    ];
    for (let times = 0; times < 3; times += 1) expect(await told()).toEqual(free);
    const reply = await fetch(`${scene.server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'busy', messages }),
    });
    expect(reply.status).toBe(200);
    expect(await told()).toEqual([
      [ids['spare'], 1, ''],
      [ids['limited'], 0, 'no_room'],
    ]);
  });

  it('ignores rules of the body for a realtime conversation, which has none', async () => {
    const { data } = await send('/api/channel/explain', {
      model: 'one-realtime',
      headers: { 'x-app': 'cli' },
    });
    expect((data as Told).channels).toMatchObject([{ id: ids['talking'], rules: 1 }]);
  });

  it('assumes 1,000 tokens each for a prompt and an answer of unknown length, as a call does', async () => {
    const ask = async (more: object) => (await send('/api/channel/explain', { model: 'one', ...more })).data;
    const usual = await ask({});
    expect(usual).toEqual(await ask({ prompt_tokens: 1000, output_tokens: 1000 }));
    expect(usual).not.toEqual(await ask({ prompt_tokens: 0, output_tokens: 0 }));
  });

  it('says why a call is refused before a channel is looked for', async () => {
    const told = async (more: object) => (await send('/api/channel/explain', { model: 'one', ...more })).data;
    expect(await told({ group: 'closed' })).toMatchObject({
      refusal: expect.stringContaining('closed') as unknown,
    });
    expect(await told({ model: 'nothing' })).toMatchObject({
      refusal: expect.stringContaining('nothing') as unknown,
      quota: null,
      channels: [],
    });
  });

  it('refuses an unknown user', async () => {
    expect((await send('/api/channel/explain', { model: 'one', user_id: 999_999 })).success).toBe(false);
    expect((await send('/api/channel/explain', { model: 'one', token_id: 999_999 })).success).toBe(false);
  });
});
