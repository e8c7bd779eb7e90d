import type { setModelPrices } from '#contract/api/wallet/model-prices.ts';
import { SET_IN_LIST } from '#contract/price-book.ts';
import type { PriceEntry } from '#core/price-book/price-tables.ts';
import type { z } from 'zod';
import { priceTables } from './model-prices.ts';
import type { PriceBook } from './book/price-book.ts';
import type { Outcome } from './book/price-drafts.ts';
import type { OptionEditor } from '../site/options.ts';

type Body = z.infer<(typeof setModelPrices)['body']>;

const fields = Object.keys(priceTables) as readonly (keyof typeof priceTables)[];

/**
 * Sets the prices of some models and leaves the others as they are, all or none, as one version of the price book.
 * Throws like setting an option.
 */
export const changeModelPrices = (
  prices: Pick<PriceBook, 'change'>,
  editor: OptionEditor,
  { models, reason = '', base, at }: Body,
): Promise<Outcome> => {
  const entries: readonly PriceEntry[] = models.flatMap((each) =>
    fields.map((field) => ({ option: priceTables[field], key: each.model, value: each[field] })),
  );
  const atMs = at === undefined ? undefined : at * 1000;
  return prices.change(editor, entries, { reason: reason === '' ? SET_IN_LIST : reason, base, atMs });
};
