import { describe, expect, it } from 'vitest';
import {
  deepinfraPrices,
  gatewayPrices,
  openrouterPrices,
  togetherPrices,
  vercelPrices,
} from './read-prices.ts';

/** Rows as the upstreams' documentation shows them; what is expected was worked out by hand. */
describe('prices of an upstream are read as dollars for a million tokens, or for a call', () => {
  it.each([
    [
      'OpenRouter, as text per token',
      openrouterPrices,
      {
        id: 'anthropic/claude-x',
        pricing: {
          prompt: '0.000003',
          completion: '0.000015',
          request: '0',
          image: '0',
          input_cache_read: '0.0000003',
          input_cache_write: '0.00000375',
        },
      },
      { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
      false,
    ],
    [
      'OpenRouter, where sound and the cache have no price',
      openrouterPrices,
      { id: 'a/b', pricing: { prompt: '0.000001', completion: '0', audio: '0', input_cache_read: '0' } },
      { input: 1, output: 0 },
      false,
    ],
    [
      'OpenRouter, with a price for each request on top',
      openrouterPrices,
      { id: 'a/b', pricing: { prompt: '0.000001', completion: '0.000001', request: '0.005' } },
      { input: 1, output: 1 },
      true,
    ],
    [
      'Vercel, with a step of the prompt',
      vercelPrices,
      {
        id: 'a/b',
        pricing: {
          input: '0.00000125',
          output: '0.00001',
          input_cache_read: '0.000000125',
          input_tiers: [{ cost: '0.00000125', min: 0, max: 200_001 }],
        },
      },
      { input: 1.25, output: 10, cache_read: 0.125 },
      true,
    ],
    [
      'Together, per million',
      togetherPrices,
      { id: 'a/b', pricing: { hourly: 0, input: 0.88, output: 0.9, base: 0, finetune: 0 } },
      { input: 0.88, output: 0.9 },
      false,
    ],
    [
      'DeepInfra, in its metadata',
      deepinfraPrices,
      {
        id: 'a/b',
        metadata: { pricing: { input_tokens: 0.05, output_tokens: 0.24, cache_read_tokens: 0.01 } },
      },
      { input: 0.05, output: 0.24, cache_read: 0.01 },
      false,
    ],
    [
      'a gateway of this family, by ratios',
      gatewayPrices,
      {
        model_name: 'gpt-x',
        quota_type: 0,
        model_ratio: 1.25,
        model_price: 0,
        completion_ratio: 4,
        cache_ratio: 0.1,
        create_cache_ratio: 1.25,
      },
      { input: 2.5, output: 10, cache_read: 0.25, cache_write: 3.125 },
      false,
    ],
    [
      'a gateway of this family, whose long prompts cost more',
      gatewayPrices,
      { model_name: 'a', quota_type: 0, model_ratio: 1, completion_ratio: 4, variants: [{ kind: 'step' }] },
      { input: 2, output: 8 },
      true,
    ],
    [
      'a gateway of this family, by call',
      gatewayPrices,
      { model_name: 'mj', quota_type: 1, model_ratio: 0, model_price: 0.04, completion_ratio: 0 },
      { call: 0.04 },
      false,
    ],
    [
      "LiteLLM's proxy, with a longer context that costs more",
      gatewayPrices,
      {
        model_name: 'claude',
        model_info: {
          input_cost_per_token: 3e-6,
          output_cost_per_token: 1.5e-5,
          cache_read_input_token_cost: 3e-7,
          input_cost_per_token_above_200k_tokens: 6e-6,
        },
      },
      { input: 3, output: 15, cache_read: 0.3 },
      true,
    ],
  ])('%s', (_, reader, row, cost, isPartial) => {
    expect(reader.readRow(row)).toEqual([expect.any(String), { cost, isPartial }]);
  });

  it.each([
    [
      'a price that varies',
      openrouterPrices,
      { id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' } },
    ],
    ['no price of the answer', openrouterPrices, { id: 'a', pricing: { prompt: '0.1' } }],
    ['an empty text', openrouterPrices, { id: 'a', pricing: { prompt: '', completion: '0.1' } }],
    [
      'more than any price',
      gatewayPrices,
      { model_name: 'a', quota_type: 0, model_ratio: 1e9, completion_ratio: 1 },
    ],
    ['a ratio without that of the answer', gatewayPrices, { model_name: 'a', quota_type: 0, model_ratio: 1 }],
    ['a list as price', gatewayPrices, { model_name: 'a', quota_type: 1, model_price: [1] }],
    ['no name', gatewayPrices, { quota_type: 1, model_price: 1 }],
  ])('%s is no price', (_, reader, row) => {
    expect(reader.readRow(row)).toBeUndefined();
  });
});

it('ratios are dollars by the units to the dollar that their list tells', () => {
  const row = { model_name: 'a', quota_type: 0, model_ratio: 3, completion_ratio: 4 };
  expect(gatewayPrices.readRow(row)).toEqual(['a', { cost: { input: 6, output: 24 }, isPartial: false }]);
  expect(gatewayPrices.readRow(row, 1_000_000)).toEqual([
    'a',
    { cost: { input: 3, output: 12 }, isPartial: false },
  ]);
});
