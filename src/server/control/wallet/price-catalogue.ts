import type { ModelPrice, PriceCalculation } from '@pydantic/genai-prices';
import type { CataloguePrice, PriceCatalogue } from '#core/quota/catalogue.ts';

/** A ratio of 1 is 2 USD for a million tokens. */
const USD_PER_RATIO = 2;
/** Decimal places kept of a quotient: more than any price has, but without binary rounding noise. */
const PLACES = 9;
/** Providers tried for models whose name does not tell the package who makes them: embeddings, Sonar, Nova. */
const MAKERS = ['openai', 'google', 'mistral', 'cohere', 'perplexity', 'aws'];
const REMEMBERED_MAX = 20_000;
const NO_TOKENS = { input_tokens: 0, output_tokens: 0 };

/** For tiered prices the first tier counts: later ones are for prompts of hundreds of thousands of tokens. */
const usd = (prices: ModelPrice, key: string): number | undefined => {
  const price = prices[key];
  return typeof price === 'object' ? price.base : price;
};

const rounded = (value: number): number => Number(value.toFixed(PLACES));

const ratio = (price: number | undefined, to: number | undefined): number | undefined =>
  price === undefined || to === undefined || to === 0 ? undefined : rounded(price / to);

const given = <Key extends string>(key: Key, value: number | undefined): Partial<Record<Key, number>> =>
  value === undefined ? {} : ({ [key]: value } as Record<Key, number>);

const toRatios = ({ model, model_price: prices }: PriceCalculation): CataloguePrice | undefined => {
  const input = usd(prices, 'input_mtok');
  if (input === undefined) return undefined;
  const audio = usd(prices, 'input_audio_mtok');
  const audioOut = ratio(usd(prices, 'output_audio_mtok'), audio);
  return {
    modelRatio: rounded(input / USD_PER_RATIO),
    completionRatio: ratio(usd(prices, 'output_mtok'), input) ?? (input === 0 ? 1 : 0),
    ...given('contextWindow', model.context_window),
    ...given('cacheRatio', ratio(usd(prices, 'cache_read_mtok'), input)),
    ...given('createCacheRatio', ratio(usd(prices, 'cache_write_mtok'), input)),
    ...given('imageRatio', ratio(usd(prices, 'input_image_mtok'), input)),
    ...given('audioRatio', ratio(audio, input)),
    ...given('audioCompletionRatio', audioOut),
    ...given('imageCompletionRatio', ratio(usd(prices, 'output_image_mtok'), input)),
  };
};

/** List prices of known models, from the price package. Looked up on first use and cached; nothing is fetched. */
export const loadPriceCatalogue = async (): Promise<PriceCatalogue> => {
  // Loaded while the database opens: nearly a megabyte of prices that should not delay the start.
  const { calcPrice } = await import('@pydantic/genai-prices');
  const entryOf = (model: string, providerId?: string): PriceCalculation | undefined =>
    calcPrice(NO_TOKENS, model, providerId === undefined ? {} : { providerId }) ?? undefined;
  const listed = (model: string): PriceCalculation | undefined => {
    let entry = entryOf(model);
    for (const maker of MAKERS) entry ??= entryOf(model, maker);
    return entry;
  };
  const known = new Map<string, CataloguePrice | undefined>();
  return {
    find(model) {
      if (known.has(model)) return known.get(model);
      const found = listed(model);
      const price = found && toRatios(found);
      if (known.size < REMEMBERED_MAX) known.set(model, price);
      return price;
    },
  };
};
