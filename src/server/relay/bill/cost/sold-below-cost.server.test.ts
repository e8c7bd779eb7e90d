import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type BelowCostRule } from '#contract/options/cost.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../../http/testing/small-upstream.ts';

/** A model that costs more at a channel than the group pays is marked, reported, or not sold there. */

let upstream: SmallUpstream;
let scene: Scene;
let alice: Spender;
let dear: number;
let fair: number;

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  alice = await scene.spender('alice', 100_000_000);
  await scene.set('ModelPrice', JSON.stringify({ both: 0.5, only: 0.5, unknown: 0.5 }));
  const { stage, root } = scene;
  const cost = (call: number) => JSON.stringify({ cost: { models: { sold: { call }, only: { call } } } });
  const at = { baseUrl: upstream.url };
  const mapped = { modelMapping: JSON.stringify({ both: 'sold' }) };
  const first = await stage.channel(root, {
    ...at,
    ...mapped,
    name: 'dear-to-us',
    models: 'both,only,unknown',
    priority: 9,
    setting: cost(0.6),
  });
  const second = await stage.channel(root, { ...at, ...mapped, models: 'both', setting: cost(0.5) });
  [dear, fair] = [first.id, second.id];
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const rule = (value: BelowCostRule | undefined) =>
  scene.set('cost_setting.below_cost', JSON.stringify(value === undefined ? {} : { default: value }));
beforeEach(() => rule(undefined));

const chat = (model: string, body: object = {}) =>
  fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...body }),
  });

interface Row {
  readonly channel: number;
  readonly type: number;
  readonly other: string;
}
interface AdminInfo {
  readonly below_cost?: boolean;
  readonly decision?: { readonly left_out: unknown };
}
const lastRow = async () => {
  const { data } = await scene.asRoot('/api/log/?p=1&page_size=1&username=alice');
  const [row] = (data as { items: Row[] }).items;
  if (row === undefined) throw new Error('no row');
  return { ...row, info: (JSON.parse(row.other) as { admin_info: AdminInfo }).admin_info };
};

it.each<[BelowCostRule | undefined, boolean | undefined]>([
  [undefined, true],
  ['mark', true],
  ['off', undefined],
])('where the rule is %s the expensive channel answers, and its row says %s', async (value, marked) => {
  await rule(value);
  expect((await chat('both')).status).toBe(200);
  expect(await lastRow()).toMatchObject({ channel: dear, type: 2 });
  expect((await lastRow()).info.below_cost).toBe(marked);
});

it('where such sales are stopped the next channel answers, and the row says why the first did not', async () => {
  await rule('stop');
  expect((await chat('both')).status).toBe(200);
  const { channel, info } = await lastRow();
  expect([channel, info.below_cost]).toEqual([fair, undefined]);
  expect(info.decision?.left_out).toEqual([[dear, 'below_cost']]);
  // What nobody knows the cost of is sold.
  expect((await chat('unknown')).status).toBe(200);
  expect((await lastRow()).channel).toBe(dear);
});

it('where no channel is left the call is refused as unserved, costs nothing, and only admins are told why', async () => {
  await rule('stop');
  const before = await scene.asRoot(`/api/user/${alice.user.id}`);
  const refused = await chat('only');
  expect(refused.status).toBe(503);
  const text = await refused.text();
  expect(text).toContain('no available channels for model only');
  expect(text).not.toMatch(/cost|dear-to-us/i);
  const { type, info } = await lastRow();
  expect([type, info.decision?.left_out]).toEqual([5, [[dear, 'below_cost']]]);
  const own = await scene.stage.caller(await scene.stage.session(alice.user))('/api/log/self?page_size=5');
  expect(own.text).toContain('"only"');
  expect(own.text).not.toContain('below_cost');
  const quota = ({ data }: { data?: unknown }) => (data as { quota: number }).quota;
  expect(quota(await scene.asRoot(`/api/user/${alice.user.id}`))).toBe(quota(before));
  // A cheaper cost, and it is sold again at once.
  const setting = JSON.stringify({ cost: { models: { only: { call: 0.1 }, sold: { call: 0.6 } } } });
  await scene.asRoot('/api/channel', { method: 'PUT', body: { id: dear, setting } });
  expect((await chat('only')).status).toBe(200);
});

it('where admins are warned they are told once, not with every call', async () => {
  await rule('warn');
  for (let calls = 0; calls < 5; calls += 1) expect((await chat('both')).status).toBe(200);
  await rule('warn');
  expect((await chat('both')).status).toBe(200);
  const told = () => scene.log.lines.filter((line) => line.includes('a model is sold below cost'));
  await expect.poll(() => told().length).toBe(1);
  expect(told()[0]).toContain(`"channel":${dear},"model":"both","group":"default"`);
  expect((await lastRow()).info.below_cost).toBe(true);
});

it('where such sales are stopped no tier, long prompt or tool is sold below what the channel asks for it', async () => {
  await rule('stop');
  const listed = { input: 2.5, output: 15, cache_read: 0.25 };
  const dimensions = {
    tiers: { priority: 3 },
    context: { steps: [{ above: 3000, input: 3 }] },
  };
  const [dearAt, fairAt] = [{ ...listed, dimensions }, listed].map((own) =>
    JSON.stringify({
      cost: { models: { 'gpt-5.4': own }, tools: { web_search_preview: own === listed ? 0 : 20 } },
    }),
  );
  const put = (id: number, setting: string | undefined, models: string) =>
    scene.asRoot('/api/channel', { method: 'PUT', body: { id, setting, models } });
  await put(dear, dearAt, 'both,only,unknown,gpt-5.4');
  await put(fair, fairAt, 'both,gpt-5.4');
  const channelOf = async (body: object) => {
    expect((await chat('gpt-5.4', body)).status).toBe(200);
    return (await lastRow()).channel;
  };
  const long = { messages: [{ role: 'user', content: 'word '.repeat(4000) }] };
  expect(await channelOf({})).toBe(dear);
  for (const asked of [{ service_tier: 'priority' }, long, { web_search_options: {} }])
    expect(await channelOf(asked), JSON.stringify(asked).slice(0, 40)).toBe(fair);
  // Asked for by the channel's own override.
  await scene.asRoot('/api/channel', {
    method: 'PUT',
    body: { id: dear, param_override: JSON.stringify({ service_tier: 'priority' }) },
  });
  expect(await channelOf({})).toBe(fair);
});
