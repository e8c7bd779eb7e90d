import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../../config.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';
import { type RunningServer, startServer } from '../../main.ts';

const folder = temporaryFolder();
let server: RunningServer;
let admin: Caller;
let stage: Stage;
let root: User;

const PATH = '/api/pricing/example';
const SATURDAY_NIGHT = Date.UTC(2026, 0, 3, 23) / 1000;
const MONDAY_NOON = Date.UTC(2026, 0, 5, 12) / 1000;

beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  root = await stage.person('root', role.root);
  await stage.option(root, 'ModelRatio', '{"house-model": 0.5}');
  await stage.option(root, 'CompletionRatio', '{"house-model": 4}');
  await stage.option(root, 'GroupRatio', '{"default": 1, "vip": 0.5}');
  admin = stage.caller(await stage.session(await stage.person('admin', role.admin)));
});
afterAll(() => server.stop());

const ask = (body: object) => admin(PATH, { method: 'POST', body: { model: 'house-model', ...body } });

const short = { prompt: 10_000, completion: 1000 };
const long = { prompt: 300_000, completion: 1000 };
const steps = [{ above: 200_000, input: 2, output: 1.5 }];

// A ratio of 0.5 is half a unit a token; 500,000 units are a dollar.
describe('what a call would cost', () => {
  it('is told of a drawing or a song too, whose built-in price counts where none is set', async () => {
    const media = { resolutions: { '1080p': 2, other: 1 } };
    const call = { prompt: 0, completion: 0 };
    const calls = [call, { ...call, resolution: '1080p' }];
    const { data } = await ask({ model: 'mj_imagine', dimensions: { media }, calls });
    expect(data).toMatchObject([{ usd: 0.1 }, { usd: 0.2 }]);
  });

  it('is told for each call, step by step, before anything is saved', async () => {
    const { data } = await ask({ dimensions: { context: { steps } }, calls: [short, long] });
    expect(data).toMatchObject([
      { price_units: 7000, price_sum: '7000', usd: 0.014 },
      {
        price_units: 303_000,
        usd: 0.606,
        price_steps: [
          {
            bucket: 'inputTokens',
            count: 300_000,
            unitsEach: '1',
            units: '300000',
            factors: { contextStep: '2' },
          },
          {
            bucket: 'outputTokens',
            count: 1000,
            unitsEach: '3',
            units: '3000',
            factors: { contextStep: '1.5' },
          },
        ],
      },
    ]);
  });

  it('has a separate line for the tokens beyond a step, if only they cost more', async () => {
    const context = { charges: 'excess', steps: [{ above: 200_000, input: 2 }] };
    const { data } = await ask({ dimensions: { context }, calls: [long] });
    expect(data).toMatchObject([{ price_units: 202_000, price_steps: { length: 3 } }]);
  });

  it.each([
    ['a tier', { tier: 'flex' }, 3500],
    ['a group', { group: 'vip' }, 3500],
    ['hours that it begins in', { at: SATURDAY_NIGHT }, 5600],
    ['no hours that it does not begin in', { at: MONDAY_NOON }, 7000],
  ])('counts %s', async (_, more, units) => {
    const hours = [{ zone: 'UTC', from: '22:00', to: '08:00', days: ['sat'], factor: 0.8 }];
    const dimensions = { tiers: { flex: 0.5 }, hours };
    const { data } = await ask({ dimensions, calls: [short], ...more });
    expect(data).toMatchObject([{ price_units: units }]);
  });

  it('charges cached tokens at the cache price', async () => {
    const { data } = await ask({ dimensions: { tiers: {} }, calls: [{ ...short, cached: 4000 }] });
    expect(data).toMatchObject([
      { price_steps: [{ count: 6000 }, { bucket: 'cacheReadTokens', count: 4000 }, { count: 1000 }] },
    ]);
  });

  it.each([
    ['a model without a price', { model: 'unheard-of', dimensions: {}, calls: [short] }],
    ['dimensions that could not be saved', { dimensions: { tiers: { flex: -1 } }, calls: [short] }],
    ['more cached than there is', { dimensions: {}, calls: [{ ...short, cached: 10_001 }] }],
    ['more calls than a table has', { dimensions: {}, calls: Array.from({ length: 9 }, () => short) }],
  ])('is refused for %s', async (_, body) => {
    const got = await ask(body);
    expect(got.success).not.toBe(true);
    expect(got.status).toBeLessThan(500);
  });
});

describe('what calls cost now', () => {
  it('is shown to everybody as their own group pays it, and its history too', async () => {
    await stage.channel(root, { models: 'house-model' });
    await stage.option(root, 'GroupGroupRatio', '{"vip": {"default": 0.25}}');
    const vip = await stage.person('a vip');
    const change = { id: vip.id, username: vip.username, group: 'vip' };
    expect((await admin('/api/user', { method: 'PUT', body: change })).success).toBe(true);
    for (const [caller, prompt] of [
      [stage.caller(), 1],
      [stage.caller(await stage.session(vip)), 0.25],
      [stage.caller(await stage.accessToken(vip)), 0.25],
    ] as const) {
      const list = await caller('/api/pricing');
      expect(list.data).toMatchObject([{ prices: { default: { prompt } } }]);
      expect(JSON.parse(list.text)).toMatchObject({ group_ratio: { default: prompt } });
      const past = await caller('/api/pricing/history?model=house-model');
      expect((past.data as readonly object[])[0]).toMatchObject({ prices: { default: { prompt } } });
    }
  });

  it('is told of the past too, by the name that a group has now', async () => {
    await stage.option(root, 'GroupRatio', '{"default":1,"vip":0.5,"svip":1}');
    await stage.option(root, 'GroupRatio', '{"default":1,"vip":0.75,"svip":1}');
    const member = await stage.person('a member');
    await admin('/api/user', { method: 'PUT', body: { id: member.id, group: 'vip' } });
    const body = { name: 'vip', to: 'gold' };
    expect(await admin('/api/group/rename', { method: 'POST', body })).toMatchObject({ success: true });
    await stage.channel(root, { models: 'house-model', groups: 'default,gold' });
    const caller = stage.caller(await stage.session(member));
    const { data } = await caller('/api/pricing/history?model=house-model');
    const past = data as readonly {
      readonly prices: Readonly<Record<string, { readonly prompt: number }>>;
    }[];
    expect(past.slice(0, 2).map(({ prices }) => prices['gold']?.prompt)).toEqual([0.75, 0.5]);
    expect(past.flatMap(({ prices }) => Object.keys(prices))).not.toContain('vip');
  });
});
