import { expect, it } from 'vitest';
import { type PricedModel, suggestModels } from './suggest-models.ts';

const priced = (name: string, dollarsIn: number, dollarsOut: number, context = 200_000): PricedModel => ({
  model_name: name,
  quota_type: 0,
  model_ratio: dollarsIn / 2,
  completion_ratio: dollarsOut / dollarsIn,
  context_window: context,
});

const prices = [
  priced('claude-fable-5', 20, 100),
  priced('claude-opus-4-5', 5, 25),
  priced('claude-sonnet-4-5', 3, 15),
  priced('claude-haiku-4-5', 1, 5),
  priced('gpt-5', 1.25, 10, 400_000),
  priced('gpt-5-nano', 0.05, 0.4, 400_000),
  priced('gpt-5-mini', 0.25, 2, 400_000),
  priced('gpt-3.5-turbo', 0.2, 0.2, 16_000),
  priced('text-embedding-3-small', 0.02, 0.02, 8_000),
  { ...priced('dall-e-3', 1, 1), quota_type: 1 as const, model_ratio: 0, model_price: 0.04 },
];
const all = prices.map(({ model_name }) => model_name);

it("suggests the cheapest model of the program's family, not the first by name", () => {
  expect(suggestModels(all, prices, /claude/)).toEqual({
    model: 'claude-haiku-4-5',
    smallModel: 'claude-haiku-4-5',
  });
});

it('suggests tiny models for titles only, and no model with a small context or without chat', () => {
  expect(suggestModels(all, prices, /gpt/)).toEqual({ model: 'gpt-5-mini', smallModel: 'gpt-5-nano' });
  expect(suggestModels(['gpt-3.5-turbo', 'gpt-5'], prices)).toEqual({
    model: 'gpt-5',
    smallModel: 'gpt-3.5-turbo',
  });
});

it('suggests a model of another family if the token has none of the right one', () => {
  expect(suggestModels(['gpt-5', 'gpt-5-mini'], prices, /claude/)?.model).toBe('gpt-5-mini');
});

it('suggests a model without a price only if there is no other', () => {
  expect(suggestModels(['house-model', 'gpt-5'], prices)?.model).toBe('gpt-5');
  expect(suggestModels(['house-model'], prices)).toEqual({
    model: 'house-model',
    smallModel: 'house-model',
  });
  expect(suggestModels(['text-embedding-3-small'], prices)?.model).toBe('text-embedding-3-small');
  expect(suggestModels([], prices)).toBeUndefined();
});
