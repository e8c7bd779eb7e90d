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

it('the cheapest model of the family a program is made for, not the first of the alphabet', () => {
  expect(suggestModels(all, prices, /claude/)).toEqual({
    model: 'claude-haiku-4-5',
    smallModel: 'claude-haiku-4-5',
  });
});

it('small ones do small work only, and what holds no agent’s work, or no chat, is not chosen', () => {
  expect(suggestModels(all, prices, /gpt/)).toEqual({ model: 'gpt-5-mini', smallModel: 'gpt-5-nano' });
  expect(suggestModels(['gpt-3.5-turbo', 'gpt-5'], prices)).toEqual({
    model: 'gpt-5',
    smallModel: 'gpt-3.5-turbo',
  });
});

it('a model of another family where the token has none of that one', () => {
  expect(suggestModels(['gpt-5', 'gpt-5-mini'], prices, /claude/)?.model).toBe('gpt-5-mini');
});

it('what nobody has priced comes last, and is taken where there is nothing else', () => {
  expect(suggestModels(['house-model', 'gpt-5'], prices)?.model).toBe('gpt-5');
  expect(suggestModels(['house-model'], prices)).toEqual({
    model: 'house-model',
    smallModel: 'house-model',
  });
  expect(suggestModels(['text-embedding-3-small'], prices)?.model).toBe('text-embedding-3-small');
  expect(suggestModels([], prices)).toBeUndefined();
});
