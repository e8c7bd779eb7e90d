import { expect, it } from 'vitest';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import { noUsage } from '../chat/usage.ts';
import { quotaOf } from '../quota/price.ts';
import { taskPriceOf, taskPrices } from './task-price.ts';

const costOf = (model: string, changes: Partial<OptionValues> = {}, group = 'default') =>
  quotaOf(
    taskPriceOf(
      { options: { ...initialOptions, ...changes }, catalogue: { find: () => undefined } } as Parameters<
        typeof taskPriceOf
      >[0],
      model,
      'default',
      group,
    ),
    noUsage,
  );

it('a task costs what the operator set, else the usual price of what it does, else 0.1 dollars', () => {
  expect(costOf('mj_imagine')).toBe(50_000);
  expect(costOf('mj_upscale')).toBe(25_000);
  expect(costOf('suno_lyrics')).toBe(5000);
  expect(costOf('mj_something_new')).toBe(50_000);
  expect(costOf('mj_imagine', { ModelPrice: { mj_imagine: 0.3 } })).toBe(150_000);
  expect(costOf('mj_imagine', { ModelPrice: { mj_imagine: 0 } })).toBe(0);
});

it('is multiplied by the ratio of the group', () => {
  expect(costOf('mj_imagine', { GroupRatio: { default: 1, vip: 0.5 } }, 'vip')).toBe(25_000);
});

it('opening a window costs nothing: what is done in it does', () => {
  expect([costOf('mj_inpaint'), costOf('mj_custom_zoom'), costOf('mj_modal')]).toEqual([0, 0, 50_000]);
  expect(Object.keys(taskPrices)).toHaveLength(18);
});
