import { describe, expect, it } from 'vitest';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import { buildRouting } from '#core/channel/testing/build-routing.ts';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import type { CataloguePrice } from '#core/quota/catalogue.ts';
import { Secret } from '#core/secrets/secret.ts';
import { modelPricePage, type PriceQuestion } from './model-prices.ts';

const catalogue: Readonly<Record<string, CataloguePrice>> = {
  listed: { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1, createCacheRatio: 1.25 },
  'listed-too': { modelRatio: 0.075, completionRatio: 4 },
};

const routing = (options: Partial<OptionValues> = {}) =>
  buildRouting({
    version: 1,
    priceVersion: 1,
    options: { ...initialOptions, GroupRatio: { default: 3, vip: 0.5 }, ...options },
    catalogue: { find: (model) => (Object.hasOwn(catalogue, model) ? catalogue[model] : undefined) },
    rows: [
      channelRowOf(1, { models: 'listed,listed-too,own,by-call,nobody-knows,suno_music', groups: 'default' }),
      channelRowOf(2, { models: 'listed', groups: 'vip' }),
    ],
    openKey: () => new Secret('k'),
  });

const own: Partial<OptionValues> = {
  ModelRatio: { own: 0.5, listed: 2 },
  CompletionRatio: { own: 3 },
  CacheRatio: { own: 0.25 },
  ModelPrice: { 'by-call': 0.04 },
};

const ask = (question: Partial<PriceQuestion> = {}, options: Partial<OptionValues> = own) =>
  modelPricePage(routing(options), {
    page: 1,
    pageSize: 100,
    keyword: '',
    origin: '',
    group: '',
    sort: undefined,
    ...question,
  });
const names = (question: Partial<PriceQuestion>) => ask(question).items.map(({ model }) => model);

describe('the list of model prices', () => {
  it('marks models whose output costs as much as input because no output price is set', () => {
    const set = { ModelRatio: { own: 0.5, 'nobody-knows': 1, listed: 2 }, CompletionRatio: { own: 1 } };
    const marked = ask({}, set).items.filter(({ output_as_input: isMarked }) => isMarked);
    expect(marked.map(({ model }) => model)).toEqual(['nobody-knows']);
  });

  it('has every offered model, those without a price first', () => {
    expect(names({})).toEqual(['nobody-knows', 'by-call', 'listed', 'listed-too', 'own', 'suno_music']);
    expect(ask({}).counts).toEqual({ unset: 1, own: 3, catalogue: 2 });
  });

  it('tells dollars before any group, where they come from, and what the bundled list says', () => {
    const rows = new Map(ask({}).items.map((row) => [row.model, row]));
    expect(rows.get('listed')).toMatchObject({
      origin: 'own',
      usd: { input: 4, output: 20, cache_read: 0.4, cache_write: 5 },
      set: { price: null, ratio: 2, completion_ratio: null, cache_ratio: null, create_cache_ratio: null },
      ratios: { model: 2, completion: 5, cache: 0.1, create_cache: 1.25 },
      catalogue: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
      usual: { model: 1.5, completion: 5, cache: 0.1, create_cache: 1.25 },
      groups: ['default', 'vip'],
    });
    expect(rows.get('listed-too')).toMatchObject({
      origin: 'catalogue',
      usd: { input: 0.15, output: 0.6, cache_read: null, cache_write: null },
    });
    expect(rows.get('by-call')).toMatchObject({ origin: 'own', usd: { call: 0.04 }, ratios: null });
    expect(rows.get('suno_music')).toMatchObject({
      origin: 'catalogue',
      usd: { call: 0.1 },
      catalogue: null,
    });
    expect(rows.get('nobody-knows')).toMatchObject({
      origin: 'unset',
      usd: null,
      ratios: null,
      usual: { model: null, completion: 1, cache: 1, create_cache: 1.25 },
    });
  });

  it('a price that only self-use gives counts as unset', () => {
    const [first] = ask({}, { ...own, SelfUseModeEnabled: true }).items;
    expect(first).toMatchObject({ model: 'nobody-knows', origin: 'unset', usd: { input: 75, output: 75 } });
  });

  it('is sorted by the displayed values, empty ones last in both directions', () => {
    expect(names({ sort: { key: 'input', isDescending: false } })).toEqual([
      'by-call',
      'suno_music',
      'listed-too',
      'own',
      'listed',
      'nobody-knows',
    ]);
    expect(names({ sort: { key: 'output', isDescending: true } })).toEqual([
      'listed',
      'own',
      'listed-too',
      'by-call',
      'nobody-knows',
      'suno_music',
    ]);
    expect(names({ sort: { key: 'model', isDescending: true } })[0]).toBe('suno_music');
  });

  it('is narrowed by a word, an origin and a group, and cut into pages', () => {
    expect(names({ keyword: 'LISTED' })).toEqual(['listed', 'listed-too']);
    expect(names({ origin: 'unset' })).toEqual(['nobody-knows']);
    expect(names({ group: 'vip' })).toEqual(['listed']);
    const page = ask({ pageSize: 4, page: 2 });
    expect([page.total, page.items.map(({ model }) => model)]).toEqual([6, ['own', 'suno_music']]);
  });
});
