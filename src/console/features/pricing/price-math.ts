/** The numbers a price is worked out from, as the server tells them. */
export interface PricedModel {
  readonly model_name: string;
  readonly quota_type: 0 | 1;
  readonly model_ratio: number;
  readonly completion_ratio: number;
  readonly cache_ratio: number;
  readonly model_price: number;
  readonly enable_groups: readonly string[];
}

/** What a caller pays, in USD: for a million tokens, or for one call. */
export type ShownPrice =
  | { readonly kind: 'tokens'; readonly prompt: number; readonly completion: number; readonly cached: number }
  | { readonly kind: 'call'; readonly call: number };

/** A ratio of 1 is 2 USD for a million tokens. Source: specification, price display. */
const USD_PER_RATIO = 2;

/** Binary fractions leave noise in the last places; no price has twelve. */
const tidy = (value: number): number => Number(value.toPrecision(12));

export const shownPrice = (model: PricedModel, groupRatio: number): ShownPrice => {
  if (model.quota_type === 1) return { kind: 'call', call: tidy(model.model_price * groupRatio) };
  const prompt = model.model_ratio * USD_PER_RATIO * groupRatio;
  return {
    kind: 'tokens',
    prompt: tidy(prompt),
    completion: tidy(prompt * model.completion_ratio),
    cached: tidy(prompt * model.cache_ratio),
  };
};

/** A price with every digit that counts: cents are too coarse for a million tokens of a small model. */
export const formatPrice = (dollars: number): string =>
  `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`;
