import { USD_PER_RATIO } from '#contract/model-dollars.ts';
import type {
  calcPrice as calcPriceOf,
  ConditionalPrice,
  ModelInfo,
  ModelPrice,
  PriceCalculation,
} from '@pydantic/genai-prices';
import type { PriceDimensions, PriceHours, PricePart } from '#contract/options/price-dimensions.ts';
import { makerTerms, termsByName } from './maker-terms.ts';
import type { CataloguePrice, DatedCatalogue, PriceCatalogue, Proportions } from '#core/quota/catalogue.ts';
import { isListedName } from './listed-name.ts';
import { ownListPrice, ownStarts } from './own-list-prices.ts';

/** The decimal places of a quotient: more than any price has, but without binary rounding noise. */
/** Decimal places kept of a quotient: more than any price has, but without binary rounding noise. */
const PLACES = 9;
/** Providers to try for models whose maker the package cannot tell from the name: embeddings, Sonar, Nova. */
const MAKERS = ['openai', 'google', 'mistral', 'cohere', 'perplexity', 'aws'];
/** Further providers whose models the package knows by their names alone. */
const OTHER_SELLERS = [
  'anthropic',
  'cerebras',
  'cloudflare',
  'cursor',
  'deepseek',
  'fireworks',
  'minimax',
  'moonshotai',
  'typesafe',
  'voyageai',
  'x-ai',
  'zhipuai',
];
/**
 * Sound prices of models for which the package has only text prices: 40 and 80 dollars for a million tokens in and
 * out, for the small model 10 and 20 (platform.openai.com/docs/pricing).
 */
const HEARD = new Map([
  ['gpt-4o-audio-preview', { audioRatio: 16, audioCompletionRatio: 2 }],
  ['gpt-4o-mini-audio-preview', { audioRatio: 66.666_666_667, audioCompletionRatio: 2 }],
]);
const REMEMBERED_MAX = 20_000;
const NO_TOKENS = { input_tokens: 0, output_tokens: 0 };

/** The price of a short prompt; later context steps are dimensions. */
const usd = (prices: ModelPrice, key: string): number | undefined => {
  const price = prices[key];
  return typeof price === 'object' ? price.base : price;
};

const rounded = (value: number): number => Number(value.toFixed(PLACES));

const ratio = (price: number | undefined, to: number | undefined): number | undefined =>
  price === undefined || to === undefined || to === 0 ? undefined : rounded(price / to);

const given = <Key extends string>(key: Key, value: number | undefined): Partial<Record<Key, number>> =>
  value === undefined ? {} : ({ [key]: value } as Record<Key, number>);

/** What cached tokens of a kind cost more than cached text, relative to input; undefined if nothing. */
const cacheSurcharge = (prices: ModelPrice, key: string): number | undefined => {
  const [text, ofKind] = [usd(prices, 'cache_read_mtok'), usd(prices, key)];
  if (text === undefined || ofKind === undefined || ofKind <= text) return undefined;
  return ratio(ofKind - text, usd(prices, 'input_mtok'));
};

const toRatios = (entry: PriceCalculation, atMs: number): CataloguePrice | undefined => {
  const { model, provider } = entry;
  const { prices, hours } = ofAllHours(entry, atMs);
  const input = usd(prices, 'input_mtok');
  if (input === undefined) return undefined;
  const audio = usd(prices, 'input_audio_mtok');
  // Films that are made count as pictures.
  const drawn = usd(prices, 'output_image_mtok') ?? usd(prices, 'output_video_mtok');
  const audioOut = ratio(usd(prices, 'output_audio_mtok'), audio);
  return {
    modelRatio: rounded(input / USD_PER_RATIO),
    completionRatio: ratio(usd(prices, 'output_mtok'), input) ?? (input === 0 ? 1 : 0),
    ...given('contextWindow', model.context_window),
    ...given('cacheRatio', ratio(usd(prices, 'cache_read_mtok'), input)),
    ...given('audioCacheSurcharge', cacheSurcharge(prices, 'cache_audio_read_mtok')),
    ...given('imageCacheSurcharge', cacheSurcharge(prices, 'cache_image_read_mtok')),
    ...given('createCacheRatio', ratio(usd(prices, 'cache_write_mtok'), input)),
    ...given('imageRatio', ratio(usd(prices, 'input_image_mtok'), input)),
    ...HEARD.get(model.id),
    ...given('audioRatio', ratio(audio, input)),
    ...given('audioCompletionRatio', audioOut),
    ...given('imageCompletionRatio', ratio(drawn, input)),
    ...dimensionsOf(prices, hours, makerTerms(provider.id, model.id)),
  };
};

const PARTS = [
  ['input', 'input_mtok'],
  ['output', 'output_mtok'],
  ['cacheRead', 'cache_read_mtok'],
  ['cacheWrite', 'cache_write_mtok'],
] as const satisfies readonly (readonly [PricePart, string])[];

/** The ratio of these prices to others, part by part; undefined if they are equal. */
const sharesOf = (
  of: (key: string) => number | undefined,
  to: (key: string) => number | undefined,
): Partial<Record<PricePart, number>> =>
  Object.fromEntries(PARTS.map(([part, key]) => [part, ratio(of(key), to(key)) ?? 1]));

/** The price from a number of prompt tokens on. The package states the last number below it. */
const usdFrom = (prices: ModelPrice, key: string, start: number): number | undefined => {
  const price = prices[key];
  if (typeof price !== 'object') return price;
  return price.tiers.findLast((tier) => tier.start <= start)?.price ?? price.base;
};

const startsIn = (prices: ModelPrice): readonly number[] => {
  const starts = Object.values(prices).flatMap((price) =>
    typeof price === 'object' ? price.tiers.map(({ start }) => start) : [],
  );
  return [...new Set(starts)].toSorted((one, other) => one - other);
};

/** When a price begins to count; undefined if it always does. */
const startOf = (constraint: ConditionalPrice['constraint']): number | undefined =>
  constraint?.type === 'start_date' ? Date.parse(constraint.start_date) : undefined;

/** The times at which prices of these models change. */
const startsOfModels = (models: readonly ModelInfo[]): readonly number[] =>
  models.flatMap(({ prices }) =>
    Array.isArray(prices) ? prices.flatMap(({ constraint }) => startOf(constraint) ?? []) : [],
  );

/**
 * The days that have peak hours, which the package cannot express: DeepSeek's weekends have none since 23 August 2026
 * (api-docs.deepseek.com/quick_start/pricing). Neither do China's holidays, but weekdays cannot express those.
 */
const PEAK_DAYS: Readonly<Partial<Record<string, PriceHours['days']>>> = {
  deepseek: ['mon', 'tue', 'wed', 'thu', 'fri'],
};

/** For providers with peak hours: the price outside them, and the hours. The package gives the price of the moment. */
const ofAllHours = (
  { model: { prices: all }, model_price: now, provider }: PriceCalculation,
  atMs: number,
): { readonly prices: ModelPrice; readonly hours: readonly PriceHours[] } => {
  if (!Array.isArray(all)) return { prices: now, hours: [] };
  const timed = all.filter(({ constraint }) => constraint?.type === 'time_of_date');
  if (timed.length === 0) return { prices: now, hours: [] };
  // Only the hours of the latest date that has begun: the package keeps earlier ones for reports about the past.
  const prices =
    all.findLast(
      ({ constraint }) => constraint?.type !== 'time_of_date' && (startOf(constraint) ?? 0) <= atMs,
    )?.prices ?? now;
  const days = PEAK_DAYS[provider.id];
  const hours = timed.flatMap(({ constraint, prices: dearer }): PriceHours[] =>
    constraint?.type !== 'time_of_date'
      ? []
      : [
          {
            zone: 'UTC',
            from: constraint.start_time.slice(0, 5),
            to: constraint.end_time.slice(0, 5),
            ...(days !== undefined && { days }),
            factor: sharesOf(
              (key) => usd(dearer, key),
              (key) => usd(prices, key),
            ),
          },
        ],
  );
  return { prices, hours };
};

/**
 * OpenAI charges more above 272,000 tokens (developers.openai.com/api/docs/models/gpt-5.4, gpt-5.6-sol and others). The package
 * has it from 272,000 on, as xAI does at 200,000.
 */
const OPENAI_STEP = 272_000;
const PACKAGED_STEP = 271_999;

const dimensionsOf = (
  prices: ModelPrice,
  hours: readonly PriceHours[],
  terms: PriceDimensions,
): { readonly dimensions?: PriceDimensions } => {
  const steps = startsIn(prices).map((start) => ({
    above: start === PACKAGED_STEP ? OPENAI_STEP : start,
    ...sharesOf(
      (key) => usdFrom(prices, key, start),
      (key) => usd(prices, key),
    ),
  }));
  const dimensions: PriceDimensions = {
    ...(steps.length > 0 && { context: { counts: 'prompt' as const, charges: 'call' as const, steps } }),
    ...(hours.length > 0 && { hours: [...hours] }),
    ...terms,
  };
  return Object.keys(dimensions).length === 0 ? {} : { dimensions };
};

/** The maker's own name: gateways put a maker or host before it and a variant after it, fine-tuned ones a base model. */
const makersName = (model: string): string =>
  model
    .slice(model.lastIndexOf('/') + 1)
    .replace(/^ft:/, '')
    .replace(/:.*/s, '');

/**
 * The proportions that a model shares with the same model at other sellers. Tiers, speeds, places and hours differ by
 * seller.
 */
const proportionsOf = (same: CataloguePrice): Proportions => {
  const { modelRatio: _price, contextWindow: _window, dimensions, ...ratios } = same;
  return {
    ...ratios,
    ...(dimensions?.context !== undefined && { dimensions: { context: dimensions.context } }),
  };
};

/**
 * Finds the same model under its maker's name: `sameModel` of `PriceCatalogue`. Another model of the family does not
 * count, because a price derived from it would be a guess.
 */
const sameModelIn =
  (find: PriceCatalogue['find']) =>
  (model: string): Proportions | undefined => {
    const same = find(makersName(model));
    return same && proportionsOf(same);
  };

type CalcPrice = typeof calcPriceOf;

/** The list as it is at a time. Prices are looked up on first use and kept. */
const catalogueAt = (calcPrice: CalcPrice, atMs: number): PriceCatalogue => {
  const timestamp = new Date(atMs);
  const entryOf = (model: string, providerId?: string): PriceCalculation | undefined => {
    const found = calcPrice(NO_TOKENS, model, { timestamp, ...(providerId !== undefined && { providerId }) });
    return found !== null && isListedName(model, found.model) ? found : undefined;
  };
  const listed = (model: string): PriceCalculation | undefined => {
    let entry = entryOf(model);
    for (const maker of MAKERS) entry ??= entryOf(model, maker);
    return entry;
  };
  const known = new Map<string, CataloguePrice | undefined>();
  const find = (model: string): CataloguePrice | undefined => {
    if (known.has(model)) return known.get(model);
    const own = ownListPrice(model, atMs);
    const found = own === undefined ? listed(model) : undefined;
    const price = found === undefined ? own : toRatios(found, atMs);
    if (known.size < REMEMBERED_MAX) known.set(model, price);
    return price;
  };
  return { find, sameModel: sameModelIn(find), termsByName };
};

/** List prices of known models, from the price package. Nothing is fetched. */
export const loadPriceCatalogue = async (): Promise<DatedCatalogue> => {
  // Loaded while the database opens: nearly a megabyte of prices that should not delay the start.
  const { calcPrice, findProvider } = await import('@pydantic/genai-prices');
  const models = [...MAKERS, ...OTHER_SELLERS].flatMap(
    (providerId) => findProvider({ providerId })?.models ?? [],
  );
  const starts = [...new Set([...startsOfModels(models), ...ownStarts])].toSorted(
    (one, other) => one - other,
  );
  let last: { readonly sinceMs: number; readonly catalogue: PriceCatalogue } | undefined;
  return {
    at(atMs) {
      const sinceMs = starts.findLast((startMs) => startMs <= atMs) ?? 0;
      if (last?.sinceMs !== sinceMs) last = { sinceMs, catalogue: catalogueAt(calcPrice, atMs) };
      return last.catalogue;
    },
    changesAfter: (atMs) => starts.find((startMs) => startMs > atMs),
  };
};
