import type { setModelPrices } from '#contract/api/model-prices.ts';
import { parsed } from '#contract/text.ts';
import type { z } from 'zod';
import { priceTables } from './model-prices.ts';
import type { OptionEditor, Options } from '../site/options.ts';

export type ModelPriceChange = z.infer<(typeof setModelPrices)['body']>['models'][number];

type Field = keyof typeof priceTables;
const fields = Object.keys(priceTables) as readonly Field[];

const tableOf = (text: string): Map<string, unknown> => {
  const value = parsed(text);
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
};

/**
 * Sets what models cost and leaves the others as they are: where the whole option is sent, what somebody else saved in
 * between is lost. One change after the other, all or none of each. Throws what setting an option does.
 */
export const createModelPrices = (options: Pick<Options, 'list' | 'set'>) => {
  let last: Promise<unknown> = Promise.resolve();
  const change = async (editor: OptionEditor, models: readonly ModelPriceChange[]): Promise<void> => {
    const texts = new Map((await options.list()).options.map(({ key, value }) => [key, value]));
    const changed = fields.flatMap((field) => {
      const key = priceTables[field];
      const before = texts.get(key) ?? '{}';
      const table = tableOf(before);
      let isChanged = false;
      for (const each of models) {
        const value = each[field];
        if ((table.get(each.model) ?? null) === value) continue;
        isChanged = true;
        if (value === null) table.delete(each.model);
        else table.set(each.model, value);
      }
      return isChanged ? [{ key, value: JSON.stringify(Object.fromEntries(table), null, 2) }] : [];
    });
    if (changed.length > 0) await options.set(editor, changed);
  };
  return {
    set(editor: OptionEditor, models: readonly ModelPriceChange[]): Promise<void> {
      const mine = last.then(() => change(editor, models));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
};
