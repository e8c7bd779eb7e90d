import type { OptionValues } from '#contract/options.ts';
import { isPriced, type Price, priceOf, type PriceSources } from '../quota/price.ts';

/** Dollars for one task if the operator set no price. Source: the family's built-in prices. */
export const taskPrices: Readonly<Record<string, number>> = {
  mj_imagine: 0.1,
  mj_variation: 0.1,
  mj_reroll: 0.1,
  mj_blend: 0.1,
  mj_modal: 0.1,
  mj_zoom: 0.1,
  mj_shorten: 0.1,
  mj_high_variation: 0.1,
  mj_low_variation: 0.1,
  mj_pan: 0.1,
  mj_inpaint: 0,
  mj_custom_zoom: 0,
  mj_describe: 0.05,
  mj_upscale: 0.05,
  mj_upload: 0.05,
  swap_face: 0.05,
  suno_music: 0.1,
  suno_lyrics: 0.01,
};

const OTHER_PRICE = 0.1;

/** Whether a call of the model, or a task of that name, has a price; others are refused and not listed. */
export const isPayable = (sources: PriceSources, model: string): boolean =>
  Object.hasOwn(taskPrices, model) || isPriced(sources, model);

/** The price of a task, always per call: the operator's, else the built-in one. Never throws. */
export const taskPriceOf = (
  sources: PriceSources & { readonly options: Pick<OptionValues, 'ModelPrice'> },
  model: string,
  userGroup: string,
  usingGroup: string,
): Price => {
  const set = Object.hasOwn(sources.options.ModelPrice, model)
    ? sources.options.ModelPrice[model]
    : undefined;
  const usd = set ?? (Object.hasOwn(taskPrices, model) ? taskPrices[model] : undefined) ?? OTHER_PRICE;
  const options = { ...sources.options, ModelPrice: { [model]: usd } };
  return priceOf({ ...sources, options }, model, userGroup, usingGroup);
};
