import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { type PriceOption, type PriceSetting, SECOND_PERSON } from '#contract/price-book.ts';
import type { PriceSources } from '#core/quota/price.ts';
import { readConfig } from '../../config.ts';
import { NO_PRICE } from '../../http/testing/no-price.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';
import { type RunningServer, startServer } from '../../main.ts';

const folder = temporaryFolder();
let server: RunningServer;
let root: Caller;
let stage: Stage;

const PATH = '/api/pricing/models';
beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  const person = await stage.person('root', role.root);
  await stage.option(person, 'ModelRatio', '{"kept": 0.5}');
  await stage.option(person, 'CompletionRatio', '{"kept": 4}');
  root = stage.caller(await stage.session(person));
});
afterAll(() => server.stop());

const set = (...models: readonly object[]) => root(PATH, { method: 'PUT', body: { models } });
const options = async (): Promise<Record<string, unknown>> => {
  const { data } = (await root('/api/option')) as { data: readonly { key: string; value: string }[] };
  const wanted = ['ModelPrice', 'ModelRatio', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio'];
  return Object.fromEntries(
    data.filter(({ key }) => wanted.includes(key)).map(({ key, value }) => [key, JSON.parse(value)]),
  );
};

describe('setting what models cost', () => {
  it('changes the named models and keeps the others', async () => {
    await set(
      {
        ...NO_PRICE,
        model: 'new',
        ratio: 1.5,
        completion_ratio: 5,
        cache_ratio: 0.1,
        create_cache_ratio: 1.25,
      },
      { ...NO_PRICE, model: 'call', price: 0.02 },
    );
    expect(await options()).toEqual({
      ModelPrice: { call: 0.02 },
      ModelRatio: { kept: 0.5, new: 1.5 },
      CompletionRatio: { kept: 4, new: 5 },
      CacheRatio: { new: 0.1 },
      CreateCacheRatio: { new: 1.25 },
    });
    await set({ ...NO_PRICE, model: 'new' }, { ...NO_PRICE, model: 'call' });
    expect(await options()).toEqual({
      ModelPrice: {},
      ModelRatio: { kept: 0.5 },
      CompletionRatio: { kept: 4 },
      CacheRatio: {},
      CreateCacheRatio: {},
    });
  });

  it('loses nothing when many set other models at once', async () => {
    const models = Array.from({ length: 12 }, (_, at) => `at-once-${String(at)}`);
    await Promise.all(models.map((model) => set({ ...NO_PRICE, model, ratio: 2 })));
    expect(Object.keys((await options())['ModelRatio'] as object)).toEqual(['kept', ...models]);
  });

  it('refuses a price per call beside a ratio, numbers below zero, and a model without a name', async () => {
    const before = await options();
    for (const wrong of [
      { ...NO_PRICE, model: 'x', price: 1, ratio: 1 },
      { ...NO_PRICE, model: 'x', ratio: -1 },
      { ...NO_PRICE, model: '', ratio: 1 },
      { model: 'x', ratio: 1 },
    ])
      expect(await set({ ...NO_PRICE, model: 'good', ratio: 1 }, wrong)).toMatchObject({ success: false });
    expect(await options()).toEqual(before);
  });

  it('names the models whose output costs as much as input only because no output price is set', async () => {
    const answer = await set(
      { ...NO_PRICE, model: 'nobody-lists-this', ratio: 1 },
      { ...NO_PRICE, model: 'said', ratio: 1, completion_ratio: 1 },
      { ...NO_PRICE, model: 'gpt-99', ratio: 1 },
      { ...NO_PRICE, model: 'by-call', price: 1 },
      { ...NO_PRICE, model: 'taken-away' },
    );
    expect(answer.data).toMatchObject({ published: true, output_as_input: ['nobody-lists-this', 'gpt-99'] });
  });

  interface Outcome {
    readonly published: boolean;
    readonly version: number;
    readonly changed_since: readonly { readonly key: string }[];
  }
  const change = async (body: object): Promise<Outcome> =>
    (await root(PATH, { method: 'PUT', body })).data as Outcome;
  const versionNow = async () =>
    (
      (await root('/api/price_book')).data as {
        items: { version: number; reason: string; author: string; changes: number }[];
      }
    ).items[0];

  it('is one version of the price book with its author, reason and what it changed; what changes nothing is none', async () => {
    const models = [
      { ...NO_PRICE, model: 'booked', ratio: 2, completion_ratio: 3 },
      { ...NO_PRICE, model: 'booked too', price: 0.5 },
    ];
    const { published, version } = await change({ models, reason: 'dearer upstream' });
    expect(published).toBe(true);
    expect(await versionNow()).toMatchObject({
      version,
      reason: 'dearer upstream',
      author: 'root',
      changes: 3,
    });
    expect((await root(`/api/price_book/version/${String(version)}`)).data).toMatchObject({
      diff: [
        { option: 'CompletionRatio', key: 'booked', before: null, after: 3 },
        { option: 'ModelPrice', key: 'booked too', before: null, after: 0.5 },
        { option: 'ModelRatio', key: 'booked', before: null, after: 2 },
      ],
    });
    expect(await change({ models, reason: 'again' })).toMatchObject({ published: true, version });
    expect(await versionNow()).toMatchObject({ version });
    await change({ models: [{ ...NO_PRICE, model: 'booked too', price: 0.6 }] });
    expect(await versionNow()).toMatchObject({ version: version + 1, reason: 'prices' });
  });

  it('is refused where others have changed one of the same since it was looked at, and only there', async () => {
    const { version: base } = await change({ models: [{ ...NO_PRICE, model: 'seen', ratio: 1 }] });
    await set({ ...NO_PRICE, model: 'seen', ratio: 5 });
    const late = await change({ models: [{ ...NO_PRICE, model: 'seen', ratio: 2 }], base });
    expect(late).toMatchObject({ published: false, changed_since: [{ key: 'seen', before: 1, after: 5 }] });
    expect((await options())['ModelRatio']).toMatchObject({ seen: 5 });
    const other = { ...NO_PRICE, model: 'unseen', ratio: 2 };
    expect(await change({ models: [other], base })).toMatchObject({ published: true });
  });

  it('waits in the price book where it has a time, and changes nothing before', async () => {
    const at = Math.floor(Date.now() / 1000) + 3600;
    const before = await options();
    const models = [{ ...NO_PRICE, model: 'later', ratio: 7 }];
    expect(await change({ models, reason: 'from then on', at })).toMatchObject({ published: true });
    expect(await options()).toEqual(before);
    const { data } = await root('/api/price_book/draft');
    expect(data).toMatchObject([{ reason: 'from then on', due_at: at, state: 'due', entries: 5 }]);
    expect(await root(PATH, { method: 'PUT', body: { models, at: 1000 } })).toMatchObject({ success: false });
  });
});

describe('while prices need a second person', () => {
  const put = (by: Caller, key: string, value: string) =>
    by('/api/option', { method: 'PUT', body: { key, value } });
  const setNow = async (key: string): Promise<string | undefined> => {
    const { data } = (await root('/api/option')) as { data: readonly { key: string; value: string }[] };
    return data.find((one) => one.key === key)?.value;
  };
  const approve = async (by: Caller, id: number) => {
    const { data } = await by(`/api/price_book/draft/${id}`);
    const { revision, current: base } = data as { revision: number; current: number };
    return by(`/api/price_book/draft/${id}/approve`, {
      method: 'POST',
      body: { revision, base, words: 'fine' },
    });
  };
  const draftOf = ({ data }: { readonly data?: unknown }): number => (data as { draft: number }).draft;
  let other: Caller;

  it('the super admin switches it on, who cannot be the only admin', async () => {
    expect(await put(root, SECOND_PERSON, 'true')).toMatchObject({
      success: false,
      message: expect.stringContaining('second admin') as string,
    });
    other = stage.caller(await stage.session(await stage.person('other', role.admin)));
    expect((await put(other, SECOND_PERSON, 'true')).success).toBe(false);
    expect(await put(root, SECOND_PERSON, 'true')).toMatchObject({ success: true, data: null });
  });

  const forms: Readonly<Record<PriceSetting | PriceOption, string>> = {
    ModelPrice: '{"one":1}',
    ModelRatio: '{"one":1}',
    CompletionRatio: '{"one":1}',
    CacheRatio: '{"one":1}',
    CreateCacheRatio: '{"one":1}',
    PriceDimensions: '{"one":{}}',
    'tool_price_setting.prices': '{"web_search":1}',
    GroupRatio: '{"default":2,"vip":1,"svip":1}',
    GroupGroupRatio: '{"vip":{"default":2}}',
    'group_setting.former_names': '{"silver":"vip"}',
    QuotaPerUnit: '400000',
    USDExchangeRate: '6',
    Price: '6',
    TopupGroupRatio: '{"default":2}',
    SelfUseModeEnabled: 'true',
    GroupServiceTerms: '{"default":"strip"}',
    'global.unpriced_work_enabled': 'true',
    [SECOND_PERSON]: 'false',
  };
  it.each(Object.entries(forms))(
    '%s waits for another admin when it is saved, and counts once that one approves',
    async (key, value) => {
      const before = await setNow(key);
      const id = draftOf(await put(root, key, value));
      expect([await setNow(key), before]).toEqual([before, expect.not.stringContaining(value)]);
      expect(await approve(root, id)).toMatchObject({ success: false });
      expect(await approve(other, id)).toMatchObject({ success: true, data: { published: true } });
      expect(await setNow(key)).toBe(value);
    },
  );

  it('what decides a price or what quota costs is among these', () => {
    expectTypeOf<keyof PriceSources['options']>().toExtend<PriceOption | PriceSetting>();
  });

  it('a group keeps its name, because nobody else could look at that', async () => {
    await put(root, SECOND_PERSON, 'true');
    const before = await setNow('GroupRatio');
    const body = { name: 'vip', to: 'gold' };
    expect(await root('/api/group/rename', { method: 'POST', body })).toMatchObject({
      success: false,
      message: expect.stringContaining('second person') as string,
    });
    expect(await setNow('GroupRatio')).toBe(before);
  });

  it('what only the super admin may set is sent for approval by nobody else', async () => {
    await put(root, SECOND_PERSON, 'true');
    const id = draftOf(await put(root, SECOND_PERSON, 'false'));
    const { data } = await root(`/api/price_book/draft/${id}`);
    const body = { base: (data as { current: number }).current, reason: 'mine' };
    const again = await other(`/api/price_book/draft/${id}/publish`, { method: 'POST', body });
    expect([again.status, again.success]).toEqual([403, false]);
    await root(`/api/price_book/draft/${id}`, { method: 'DELETE' });
  });

  it('the list of prices, other settings and a rejection', async () => {
    const asked = await set({ ...NO_PRICE, model: 'two', ratio: 3 });
    expect(asked.data).toMatchObject({ published: false, changed_since: [] });
    const id = draftOf(asked);
    expect((await options())['ModelRatio']).not.toHaveProperty('two');
    const together = ['SystemName', 'QuotaPerUnit'].map((key) => ({ key, value: '500000' }));
    expect(await root('/api/option/batch', { method: 'PUT', body: { options: together } })).toMatchObject({
      success: false,
      message: expect.stringContaining('QuotaPerUnit') as string,
    });
    expect((await put(root, 'SystemName', 'ours')).success).toBe(true);
    const waiting = async (by: Caller) =>
      ((await by('/api/data/attention')).data as { prices: { items: unknown } }).prices.items;
    expect([await waiting(root), await waiting(other)]).toMatchObject([[], [{ id, state: 'asked' }]]);
    const { data: head } = await other(`/api/price_book/draft/${id}`);
    expect(head).toMatchObject({ may_approve: true, needs_approval: true, writers: [{ name: 'root' }] });
    const { revision } = head as { revision: number };
    const rejection = { method: 'POST', body: { revision, words: 'too dear' } };
    await other(`/api/price_book/draft/${id}/reject`, rejection);
    expect([await waiting(root), await waiting(other)]).toMatchObject([[{ id, state: 'rejected' }], []]);
    expect((await root(`/api/price_book/draft/${id}`)).data).toMatchObject({
      verdict: { name: 'other', approved: false, words: 'too dear' },
    });
  });

  it('whoever runs the server can switch it off, which is written down', async () => {
    expect(await server.parts.prices.endApproval()).toBe(true);
    expect(await server.parts.prices.endApproval()).toBe(false);
    const { data } = await root('/api/log/?p=1&page_size=5&type=3');
    expect(JSON.stringify(data)).toContain('switched off on the server');
    expect((await set({ ...NO_PRICE, model: 'three', ratio: 3 })).data).toMatchObject({
      published: true,
      draft: null,
    });
  });
});
