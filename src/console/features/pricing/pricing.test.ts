import { expect, it } from 'vitest';
import { type PricedModel, shownPrice } from './price-math.ts';
import { vendorOf } from './vendors.ts';

const model: PricedModel = {
  model_name: 'gpt-4o',
  quota_type: 0,
  model_ratio: 1.25,
  completion_ratio: 4,
  cache_ratio: 0.5,
  model_price: 0,
  enable_groups: ['default'],
};

it('a prompt price is ratio × 2 × group ratio for a million tokens, a completion price that × completion ratio', () => {
  expect(shownPrice(model, 1)).toEqual({ kind: 'tokens', prompt: 2.5, completion: 10, cached: 1.25 });
  expect(shownPrice(model, 0.8)).toEqual({ kind: 'tokens', prompt: 2, completion: 8, cached: 1 });
  expect(shownPrice({ ...model, model_ratio: 0.075 }, 1.1)).toMatchObject({
    prompt: 0.165,
    completion: 0.66,
  });
});

it('a fixed price is price × group ratio', () => {
  expect(shownPrice({ ...model, quota_type: 1, model_price: 0.1 }, 3)).toEqual({ kind: 'call', call: 0.3 });
});

it('knows who makes a model by its name', () => {
  const names = ['gpt-4o-mini', 'openai/o3', 'claude-sonnet-4', 'gemini-2.5-pro', 'deepseek-chat', 'my-own'];
  expect(names.map((name) => vendorOf(name).name)).toEqual([
    'OpenAI',
    'OpenAI',
    'Anthropic',
    'Google',
    'DeepSeek',
    '',
  ]);
});
