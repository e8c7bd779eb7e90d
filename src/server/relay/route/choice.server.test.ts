import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { createCaller } from '../../http/testing/caller.ts';
import { systemClock } from '../../system.ts';

/** Which of several open channels gets a call, by the rule that is set. */

interface Upstream {
  readonly url: string;
  readonly calls: number;
  close(): void;
}

const chunk = (delta: object, more: object = {}): string => {
  const choices = [{ index: 0, delta, finish_reason: null }];
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices, ...more })}\n\n`;
};
const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };

/** Streams one word when that has happened. */
const startUpstream = async (first: () => unknown = () => undefined): Promise<Upstream> => {
  const state = { calls: 0 };
  const server = createServer((request, response) => {
    state.calls += 1;
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    void Promise.resolve(first()).then(() => {
      response.write(chunk({ role: 'assistant', content: 'Hi' }));
      response.end(
        `${chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })}data: [DONE]\n\n`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    get calls() {
      return state.calls;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

let scene: Scene;
let alice: Spender;
const quick: Upstream[] = [];
let slow: Upstream;
let gathering: Upstream;
/** How much time has passed on the clock of the server without anybody waiting for it. */
let passedMs = 0;
const SLOW_MS = 5000;
const AT_ONCE = 8;
const ids: Record<string, number> = {};

beforeAll(async () => {
  const running = systemClock.monotonic.bind(systemClock);
  vi.spyOn(systemClock, 'monotonic').mockImplementation(() => running() + passedMs);
  quick.push(await startUpstream(), await startUpstream());
  slow = await startUpstream(() => (passedMs += SLOW_MS));
  const all = Promise.withResolvers<undefined>();
  gathering = await startUpstream(() => {
    if (gathering.calls === AT_ONCE) all.resolve(undefined);
    return all.promise;
  });
  scene = await openScene();
  const models = ['by-cost', 'by-speed', 'by-load', 'by-session'];
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))));
  const make = async (
    name: string,
    baseUrl: string,
    wish: { models: string; weight: number; cost?: object },
  ) => {
    const { cost, ...more } = wish;
    const setting = cost === undefined ? '' : JSON.stringify({ cost: { models: { [wish.models]: cost } } });
    ids[name] = (
      await scene.stage.channel(scene.root, { type: 1, name, baseUrl, setting, groups: 'default', ...more })
    ).id;
  };
  const [first = slow, second = slow] = quick;
  await make('dear', first.url, { models: 'by-cost', weight: 3, cost: { input: 2, output: 2 } });
  await make('cheap', second.url, { models: 'by-cost', weight: 1, cost: { input: 1, output: 1 } });
  await make('quick', first.url, { models: 'by-speed', weight: 1 });
  await make('slow', slow.url, { models: 'by-speed', weight: 1 });
  await make('wide', gathering.url, { models: 'by-load', weight: 3 });
  await make('narrow', gathering.url, { models: 'by-load', weight: 1 });
  await make('home', first.url, {
    models: 'by-session',
    weight: 1,
    cost: { input: 10, cache_read: 1, output: 10 },
  });
  await scene.set(
    'routing_setting.choice',
    JSON.stringify({
      models: { 'by-*': 'cheapest', 'by-speed': 'fastest', 'by-session': 'session' },
      groups: { default: { 'by-load': 'least_busy' }, vip: { '*': 'fastest' } },
    }),
  );
  alice = await scene.spender('alice', 1_000_000_000);
});
afterAll(async () => {
  await scene.close();
  for (const upstream of [...quick, slow, gathering]) upstream.close();
  vi.restoreAllMocks();
});

const say = async (model: string, more: object = {}, headers: Readonly<Record<string, string>> = {}) => {
  const reply = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hello' }], ...more }),
  });
  expect(reply.status).toBe(200);
  expect(await reply.text()).toContain('[DONE]');
};
/** How many calls each got of so many. */
const taken = async (of: readonly Upstream[], calls: () => Promise<void>): Promise<number[]> => {
  const before = of.map(({ calls: count }) => count);
  await calls();
  return of.map(({ calls: count }, at) => count - (before[at] ?? 0));
};
const explain = async (model: string) => {
  const { data, message } = await scene.asRoot('/api/channel/explain', {
    method: 'POST',
    body: { model, group: 'default' },
  });
  expect(message).toBe('');
  const { policy, channels } = data as {
    policy: string;
    channels: readonly { id: number; chance: number }[];
  };
  const rounded = channels.map(({ id, chance }) => [id, Math.round(chance * 1000) / 1000]);
  return { policy, chances: Object.fromEntries(rounded) as Record<number, number> };
};

describe('a choice', () => {
  it('by cost sends 95 of 100 calls to the channel that costs half, whatever its weight, and says so beforehand', async () => {
    expect(await explain('by-cost')).toEqual({
      policy: 'cheapest',
      chances: { [ids['cheap'] ?? 0]: 0.95, [ids['dear'] ?? 0]: 0.05 },
    });
    const [dear = 0, cheap = 0] = await taken(quick, async () => {
      for (let round = 0; round < 40; round += 1)
        await Promise.all(Array.from({ length: 10 }, () => say('by-cost')));
    });
    expect(dear + cheap).toBe(400);
    // 20 are expected; more than 45 or none have a chance below one in a million.
    expect(dear).toBeGreaterThan(0);
    expect(dear).toBeLessThan(45);
  });

  it('by speed leaves a slow channel few calls once both are known', async () => {
    const first = quick[0] ?? slow;
    const before = [first.calls, slow.calls];
    // One after the other: the clock moves for all calls that run.
    while (first.calls === before[0] || slow.calls === before[1]) await say('by-speed');
    expect(await explain('by-speed')).toEqual({
      policy: 'fastest',
      chances: { [ids['quick'] ?? 0]: 0.95, [ids['slow'] ?? 0]: 0.05 },
    });
    const [many = 0, few = 0] = await taken([first, slow], async () => {
      for (let turn = 0; turn < 100; turn += 1) await say('by-speed');
    });
    expect(many + few).toBe(100);
    expect(few).toBeLessThan(25);
  });

  it('by load gives each channel what runs there in proportion to its weight', async () => {
    await Promise.all(Array.from({ length: AT_ONCE }, () => say('by-load')));
    // By weight alone that would be as likely as one in three.
    const { data } = await scene.asRoot('/api/log/?p=1&page_size=8&type=2&model_name=by-load');
    const channels = (data as { items: readonly { channel: number }[] }).items.map(({ channel }) => channel);
    expect(channels.filter((id) => id === ids['wide'])).toHaveLength(6);
    expect(channels.filter((id) => id === ids['narrow'])).toHaveLength(2);
    await expect
      .poll(() => explain('by-load'))
      .toMatchObject({
        policy: 'least_busy',
        chances: { [ids['wide'] ?? 0]: 1 },
      });
  });
});

describe('a session', () => {
  const long = 'a long prompt that a provider would cache. '.repeat(300);
  const headers = { 'x-claude-code-session-id': 'economical' };
  const turn = () =>
    say('by-session', { messages: [{ role: 'user', content: long }], max_tokens: 100 }, headers);
  const route = async () => {
    const { data } = await scene.asRoot('/api/log/?p=1&page_size=1&type=2');
    const [row] = (data as { items: readonly { channel: number; other: string }[] }).items;
    const { admin_info: info } = JSON.parse(row?.other ?? '{}') as { admin_info: { session: object } };
    return { channel: row?.channel, session: info.session };
  };
  const add = async (name: string, share: number) => {
    const cost = { input: 10 * share, cache_read: share, output: 10 * share };
    const setting = JSON.stringify({ cost: { models: { 'by-session': cost } } });
    const wish = {
      type: 1,
      name,
      baseUrl: quick[1]?.url ?? '',
      setting,
      models: 'by-session',
      weight: 1,
      groups: 'default',
    };
    ids[name] = (await scene.stage.channel(scene.root, wish)).id;
  };

  it('stays beside a channel that is a tenth cheaper, and moves to one that is cheaper even with a cold prompt', async () => {
    await turn();
    await add('little cheaper', 0.9);
    await turn();
    expect(await route()).toEqual({
      channel: ids['home'],
      session: { from: 'x-claude-code-session-id', bound_to: ids['home'] },
    });
    await add('much cheaper', 0.1);
    await turn();
    const moved = await route();
    expect(moved).toMatchObject({
      channel: ids['much cheaper'],
      session: { bound_to: ids['home'], passed_over: 'cheaper' },
    });
    const { moved: sums } = moved.session as { moved: Record<string, number> };
    expect(sums['move_usd']).toBeLessThan((sums['stay_usd'] ?? 0) * 0.9);
    expect(sums['cold_usd']).toBeGreaterThan(0);
    await turn();
    expect(await route()).toMatchObject({
      channel: ids['much cheaper'],
      session: { bound_to: ids['much cheaper'] },
    });
  });

  it('shows its user nothing of that', async () => {
    const caller = createCaller(scene.server.url, await scene.stage.session(alice.user));
    const own = JSON.stringify(await caller('/api/log/self?p=1&page_size=5&type=2'));
    expect(own).not.toContain('stay_usd');
    expect(own).not.toContain('cheaper');
  });
});
