import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';

/** The result of a preview, prices that differ from other lists, and the price history of a model. */

let upstream: SmallUpstream;
let scene: Scene;
let alice: Spender;
let bob: Spender;
/** What the list at an address answers. */
let listed: { readonly status: number; readonly body: string };
let list: Server;
let listUrl: string;

const MODELS = 'gpt-4o,by-call,stepped,gpt-4o-mini';

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  [alice, bob] = [await scene.spender('alice', 100_000_000), await scene.spender('bob', 100_000_000)];
  await scene.set('ModelPrice', JSON.stringify({ 'by-call': 0.5 }));
  await scene.set('ModelRatio', JSON.stringify({ stepped: 2.5, 'gpt-4o': 100 }));
  await scene.set(
    'PriceDimensions',
    JSON.stringify({ stepped: { context: { steps: [{ from: 5, input: 2 }] } } }),
  );
  await scene.set('UserUsableGroups', JSON.stringify({ default: 'all' }));
  await scene.stage.channel(scene.root, {
    baseUrl: upstream.url,
    models: MODELS,
    groups: 'default,svip',
    setting: JSON.stringify({ cost: { models: { stepped: { input: 1, output: 1 } } } }),
  });
  for (const [key, model] of [
    [alice.key, 'by-call'],
    [alice.key, 'stepped'],
    [bob.key, 'stepped'],
    [bob.key, 'gpt-4o'],
  ] as const)
    expect((await chat(key, model)).status).toBe(200);
  listed = { status: 200, body: '{}' };
  list = createServer((_, reply) => reply.writeHead(listed.status).end(listed.body));
  await new Promise<void>((ready) => list.listen(0, '127.0.0.1', ready));
  const address = list.address();
  listUrl = `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : ''}/prices.json`;
});
afterAll(async () => {
  list.close();
  await scene.close();
  await upstream.close();
});

const chat = (key: string, model: string) =>
  fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  });

const post = (path: string, body: unknown) => scene.asRoot(path, { method: 'POST', body });

interface Run {
  readonly state: string;
  readonly result: Record<'totals' | 'left_out', Record<string, number>> &
    Record<'models' | 'users' | 'days', readonly Record<string, unknown>[]>;
}

const previewed = async (entries: unknown): Promise<Run['result']> => {
  const started = await post('/api/price_book/preview', { entries, days: 7 });
  expect(started.message).toBe('');
  const { id } = started.data as { id: number };
  const read = async () => (await scene.asRoot(`/api/price_book/preview/${id}`)).data as Run;
  await expect.poll(async () => (await read()).state).toBe('done');
  return (await read()).result;
};

it('with the current prices, the preview equals the charges to the unit', async () => {
  const { totals, left_out } = await previewed([]);
  const quota = async ({ user }: Spender) =>
    ((await scene.asRoot(`/api/user/${user.id}`)).data as { used_quota: number }).used_quota;
  const used = (await quota(alice)) + (await quota(bob));
  // 0.5 USD; 8 tokens at 5 and 2 at 2.5; 8 at 100 and 2 at 400.
  expect(used).toBe(250_000 + 2 * 45 + 1600);
  expect(totals).toMatchObject({ count: 4, charged: used, now: used, draft: used, unpriced_draft: 0 });
  expect(left_out).toEqual({ count: 0, quota: 0 });
});

it('a draft is charged by the same rules: steps, groups, calls; with the margin of what is costed, and who pays most more', async () => {
  const { totals, models, users } = await previewed([
    { option: 'ModelRatio', key: 'stepped', value: 5 },
    { option: 'ModelPrice', key: 'gpt-4o', value: 0.1 },
    { option: 'ModelPrice', key: 'by-call', value: null },
  ]);
  expect(totals).toMatchObject({
    draft: 2 * 90 + 50_000,
    unpriced_draft: 1,
    costed_now: 90,
    costed_draft: 180,
    // Two calls of ten tokens at a dollar a million.
    cost_nano_usd: 2 * 10_000,
  });
  expect(models.map(({ name, draft }) => [name, draft])).toEqual([
    ['by-call', 0],
    ['gpt-4o', 50_000],
    ['stepped', 180],
  ]);
  expect(users).toMatchObject([{ name: 'bob', now: 1645, draft: 50_090 }]);
});

it('a draft that no form would save is refused before any reading, and an unknown run is not found', async () => {
  const bad = await post('/api/price_book/preview', {
    entries: [{ option: 'ModelRatio', key: 'a', value: -1 }],
    days: 7,
  });
  expect([bad.status, bad.success]).toEqual([400, false]);
  expect((await post('/api/price_book/preview', { draft: 1, entries: [], days: 7 })).status).toBe(400);
  expect((await post('/api/price_book/preview', { draft: 999, days: 7 })).success).toBe(false);
  expect((await post('/api/price_book/preview', { entries: [], days: 0 })).status).toBe(400);
  expect((await scene.asRoot('/api/price_book/preview/1')).message).toContain('has expired');
});

const compared = async (url?: string) => {
  const got = await post('/api/price_book/compare', url === undefined ? {} : { url });
  return got.success === true ? got.data : got.message;
};

it('beside the bundled list are only the prices that were set, and far ones are marked', async () => {
  expect(await compared()).toEqual([
    { option: 'ModelRatio', key: 'gpt-4o', before: 100, after: 1.25, held: 'far' },
  ]);
});

it('a list at an address is read as tables or as a price list; nothing turns to calls, to tokens or to 0 unseen', async () => {
  listed = {
    status: 200,
    body: JSON.stringify({
      data: {
        model_ratio: {
          stepped: 3,
          'gpt-4o': 0,
          'by-call': 1,
          unknown: 5,
          __proto__: 5,
          'gpt-4o-mini': 0.0751,
        },
        completion_ratio: { stepped: -1, 'gpt-4o-mini': '2', 'gpt-4o': null },
        model_price: { stepped2: 5 },
      },
    }).replace('"gpt-4o-mini":"2"', '"gpt-4o-mini":1e999'),
  };
  expect(await compared(listUrl)).toEqual([
    { option: 'ModelRatio', key: 'by-call', before: null, after: 1, held: 'flip' },
    { option: 'ModelRatio', key: 'gpt-4o', before: 100, after: 0, held: 'zero' },
    // What counts here is the bundled list's. The ratio of the output is no number there.
    { option: 'ModelRatio', key: 'gpt-4o-mini', before: 0.075, after: 0.0751, held: 'together' },
    { option: 'ModelRatio', key: 'stepped', before: 2.5, after: 3, held: 'together' },
  ]);
  const row = { model_ratio: 20, completion_ratio: 2, model_price: 1 };
  listed = {
    status: 200,
    body: JSON.stringify({
      data: [
        { ...row, model_name: 'stepped', quota_type: 0 },
        { ...row, model_name: 'by-call', quota_type: 1 },
        { ...row, model_name: 'gpt-4o-mini', quota_type: 1 },
        { ...row, model_name: { toString: 'x' } },
        null,
      ],
    }),
  };
  expect(await compared(listUrl)).toEqual([
    { option: 'ModelPrice', key: 'by-call', before: 0.5, after: 1, held: 'none' },
    { option: 'ModelPrice', key: 'gpt-4o-mini', before: null, after: 1, held: 'flip' },
    { option: 'ModelRatio', key: 'stepped', before: 2.5, after: 20, held: 'far' },
    { option: 'CompletionRatio', key: 'stepped', before: null, after: 2, held: 'far' },
  ]);
});

it('models without a price here are not taken over, and invalid numbers are left out', async () => {
  const ratios = { stepped: -2, 'gpt-4o': 1e10, unheard: 5, 'gpt-4o-mini': 0.075 };
  listed = {
    status: 200,
    body: JSON.stringify({
      model_ratio: ratios,
      completion_ratio: { stepped: 1e9 },
      cache_ratio: { stepped: 0.5, 'gpt-4o': 'NaN' },
      create_cache_ratio: { stepped: 11 },
    }),
  };
  expect(await compared(listUrl)).toEqual([
    { option: 'CompletionRatio', key: 'stepped', before: null, after: 1e9, held: 'far' },
    { option: 'CacheRatio', key: 'stepped', before: null, after: 0.5, held: 'together' },
    { option: 'CreateCacheRatio', key: 'stepped', before: null, after: 11, held: 'far' },
  ]);
});

it.each([
  ['no JSON', 200, '<html>', 'no prices'],
  ['an error', 500, '{}', 'status 500'],
  ['depth', 200, '['.repeat(100_000), 'no prices'],
  ['too much', 200, `"${'x'.repeat(9_000_000)}"`, 'too large'],
])('a list that is %s is refused in words', async (_, status, body, message) => {
  listed = { status, body };
  expect(await compared(listUrl)).toContain(message);
});

it.each(['ftp://example.com/x', 'not an address', 'http://127.0.0.1:1/'])(
  '%s is not a price list',
  async (url) => {
    expect(typeof (await compared(url))).toBe('string');
  },
);

it('visitors see what a model has cost, in their groups alone, and neither who changed it nor why', async () => {
  const history = async (model: string, headers = {}) => {
    const got = await scene.stage.caller(headers)(`/api/pricing/history?model=${model}`);
    expect(got.status).toBe(200);
    return got;
  };
  await scene.set('GroupRatio', JSON.stringify({ default: 1, svip: 0.123 }));
  await scene.set('ModelRatio', JSON.stringify({ stepped: 4, 'gpt-4o': 100 }));
  await scene.set('GroupRatio', JSON.stringify({ default: 2, svip: 0.456 }));
  await scene.set('GroupRatio', JSON.stringify({ default: 2, svip: 0.789 }));
  const got = await history('stepped');
  const rows = got.data as {
    from: number | null;
    prices: Record<string, Record<string, number>>;
    variants: unknown[];
  }[];
  expect(
    rows.map(({ from, prices, variants }) => [typeof from, prices['default']?.['prompt'], variants.length]),
  ).toEqual([
    ['number', 16, 1],
    ['number', 8, 1],
    ['number', 5, 1],
    ['number', 5, 0],
    ['object', undefined, 0],
  ]);
  expect(rows.every(({ prices }) => prices['svip'] === undefined)).toBe(true);
  expect(got.text).not.toMatch(/root|settings|0\.123|0\.456|author|reason/);
  expect((await history('never-served')).data).toEqual([]);
});

it('a list with prices of long prompts, which do not come with it, is taken unseen only where those are known here', async () => {
  await scene.set('ModelRatio', JSON.stringify({ bare: 2, stepped: 2 }));
  const long = { mode: 'chat', input_cost_per_token: 6e-6, input_cost_per_token_above_200k_tokens: 1.2e-5 };
  const row = { ...long, output_cost_per_token: 6e-6 };
  listed = { status: 200, body: JSON.stringify({ bare: row, stepped: row, 'gpt-4o-mini': row }) };
  const held = ((await compared(listUrl)) as { option: string; key: string; held: string }[])
    .filter(({ option }) => option === 'ModelRatio')
    .map(({ key, held: why }) => [key, why]);
  expect(held).toContainEqual(['bare', 'partial']);
  expect(held).toContainEqual(['stepped', 'none']);
});

it('no draft takes the default group away either', async () => {
  const entries = [{ option: 'GroupRatio', key: 'default', value: null }];
  expect((await post('/api/price_book/draft', { entries })).message).toContain('new accounts are in it');
});

it('a draft has the names of models without the blanks that they were pasted with', async () => {
  const entries = [{ option: 'ModelRatio', key: ' pasted\n', value: 2 }];
  const { data } = await post('/api/price_book/draft', { entries });
  const draft = await scene.asRoot(`/api/price_book/draft/${(data as { id: number }).id}`);
  expect(draft.data).toMatchObject({ diff: [{ key: 'pasted', after: 2 }] });
  const twice = { entries: [...entries, { option: 'ModelRatio', key: 'pasted', value: 3 }] };
  expect((await post('/api/price_book/draft', twice)).message).toContain('the name pasted is given twice');
});

it('next to nothing, where there is no price to compare it with, is not taken unseen, as nothing is not', async () => {
  await scene.set('ModelRatio', JSON.stringify({ 'gpt-4o': 100 }));
  await scene.set('ModelPrice', '{}');
  const tiny = { 'by-call': 1e-30, bare: 1e-30, stepped: 1e-8 };
  listed = {
    status: 200,
    body: JSON.stringify({ model_ratio: tiny, completion_ratio: { 'by-call': 1e-9, 'gpt-4o': 1e-9 } }),
  };
  const held = (await compared(listUrl)) as { key: string; held: string }[];
  expect(held.filter(({ key }) => key === 'by-call')).toHaveLength(2);
  expect(held.filter((row) => row.held === 'none')).toEqual([]);
  listed = { status: 200, body: JSON.stringify({ model_price: { stepped: 1e-9 } }) };
  expect(await compared(listUrl)).toMatchObject([{ key: 'stepped', before: null, held: 'far' }]);
});
