import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { readConfig } from '../../config.ts';
import { NO_PRICE } from '../../http/testing/no-price.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';
import { type RunningServer, startServer } from '../../main.ts';

const folder = temporaryFolder();
let server: RunningServer;
let root: Caller;

const PATH = '/api/pricing/models';
beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  const stage = await setStage(server);
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
