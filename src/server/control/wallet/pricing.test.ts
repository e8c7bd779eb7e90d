import { describe, expect, it } from 'vitest';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import { buildRouting } from '#core/channel/testing/build-routing.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import type { Routing } from '#core/channel/routing.ts';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import { Secret } from '#core/secrets/secret.ts';
import { pricingOf, unpricedModels } from './pricing.ts';

const row = (id: number, models: string, groups: string): ChannelRow =>
  channelRowOf(id, { name: '', models, groups });

const routing = (options: Partial<OptionValues>): Routing =>
  buildRouting({
    version: 1,
    priceVersion: 1,
    options: {
      ...initialOptions,
      GroupRatio: { default: 1, vip: 0.8, svip: 0.6 },
      UserUsableGroups: { default: 'Default', vip: 'VIP' },
      ...options,
    },
    catalogue: { find: () => undefined },
    rows: [
      row(1, 'by-token,by-call,unheard-of', 'default,svip'),
      row(2, 'by-token,mj_imagine,suno_lyrics', 'vip'),
    ],
    openKey: () => new Secret('k'),
  });

const options = {
  ModelRatio: { 'by-token': 1.5 },
  CompletionRatio: { 'by-token': 3 },
  ModelPrice: { 'by-call': 0.02 },
};

describe('the price list', () => {
  it('has what is served to groups the visitor may use, a price per call or ratios', () => {
    const { models } = pricingOf(routing(options));
    expect(Object.fromEntries(models.map(({ name, ...price }) => [name, price]))).toEqual({
      'by-token': {
        pricePerCall: undefined,
        modelRatio: 1.5,
        completionRatio: 3,
        cacheRatio: 1,
        contextWindow: 0,
        variants: [],
        prices: {
          default: { prompt: 3, completion: 9, cached: 3 },
          vip: { prompt: 2.4, completion: 7.2, cached: 2.4 },
        },
      },
      'by-call': {
        pricePerCall: 0.02,
        modelRatio: 0,
        completionRatio: 0,
        cacheRatio: 0,
        contextWindow: 0,
        variants: [],
        prices: { default: { call: 0.02 } },
      },
      mj_imagine: expect.objectContaining({ pricePerCall: 0.1, prices: { vip: { call: 0.08 } } }),
      suno_lyrics: expect.objectContaining({ pricePerCall: 0.01, prices: { vip: { call: 0.008 } } }),
    });
  });

  it('says when a price is another, and how many times the usual it is then', () => {
    const PriceDimensions = {
      'by-token': {
        context: {
          counts: 'prompt' as const,
          charges: 'call' as const,
          steps: [{ from: 272_001, input: 2, output: 1.5 }],
        },
        tiers: { flex: 0.5 },
        hours: [{ zone: 'Asia/Shanghai', from: '22:00', to: '08:00', days: ['sat' as const], factor: 0.8 }],
      },
    };
    const { models } = pricingOf(routing({ ...options, PriceDimensions }));
    expect(models.find(({ name }) => name === 'by-token')?.variants).toEqual([
      { kind: 'step', name: '272000', input: 2, output: 1.5, call: 1 },
      { kind: 'tier', name: 'flex', input: 0.5, output: 0.5, call: 0.5 },
      { kind: 'hours', name: '22:00–08:00 sat Asia/Shanghai', input: 0.8, output: 0.8, call: 0.8 },
    ]);
  });

  it('tells a step that only the tokens beyond it pay from one that the whole call pays', () => {
    const PriceDimensions = {
      'by-token': {
        context: { counts: 'prompt' as const, charges: 'excess' as const, steps: [{ above: 100, input: 3 }] },
      },
    };
    const { models } = pricingOf(routing({ ...options, PriceDimensions }));
    expect(models.find(({ name }) => name === 'by-token')?.variants).toEqual([
      { kind: 'excess', name: '100', input: 3, output: 1, call: 1 },
    ]);
  });

  it("shows the operator's price of a drawing instead of the built-in one", () => {
    const { models } = pricingOf(routing({ ModelPrice: { mj_imagine: 0.3 } }));
    expect(models.find(({ name }) => name === 'mj_imagine')?.pricePerCall).toBe(0.3);
  });

  it('gives each group its ratio, visitors those of the default group, and others their special ones', () => {
    const special = routing({ ...options, GroupGroupRatio: { svip: { default: 0.5 } } });
    expect(pricingOf(special)).toMatchObject({
      groupRatios: { default: 1, vip: 0.8 },
      groupNames: { default: 'Default', vip: 'VIP' },
    });
    expect(pricingOf(special, 'svip').groupRatios).toEqual({ default: 0.5, vip: 0.8, svip: 0.6 });
  });
});

it('the list of models without a price leaves out what has one, set or built in, also while nobody is asked for one', () => {
  expect(unpricedModels(routing(options))).toEqual(['unheard-of']);
  expect(unpricedModels(routing({ ...options, SelfUseModeEnabled: true }))).toEqual(['unheard-of']);
  expect(unpricedModels(routing({ ...options, ModelPrice: { 'unheard-of': 1, 'by-call': 1 } }))).toEqual([]);
});
