import { NANO_PER_USD } from '#contract/limits.ts';
import type { ChannelCost, TokenCost } from '#contract/channel/channel-cost.ts';
import { firstToken, type PriceDimensions } from '#contract/options/price-dimensions.ts';
import type { PaidTool } from '#contract/options/tool-prices.ts';
import { noUsage, promptTokens, type Usage } from '../chat/usage.ts';
import type { CataloguePrice } from '../quota/catalogue.ts';
import { decimal, type Exact, ONE } from '../quota/decimal.ts';
import { priceOfMediaIfRead } from '../quota/media-price.ts';
import { type PriceBucket, priceBuckets } from '../quota/price-factors.ts';
import { amountOfAll, portionsOf, priceAt } from '../quota/price-variants.ts';
import type { Price } from '../quota/price.ts';
import { type Service, termNames } from '../quota/served-terms.ts';
import { type ServiceTerms, STANDARD } from '../quota/service-terms.ts';
import type { Bought } from './bought.ts';
import { costOf, type CostSources, dimensionsOfCost, isCostedByCall } from './cost.ts';
import { type Fields, ownOf } from '../json/fields.ts';
import { MINUTE_MS } from '../time/spans.ts';

/** What may be asked of a channel, as far as it changes prices and costs. */
export interface Wanted {
  /** The upstream's name of the model. */
  readonly model: string;
  readonly atMs: number;
  /** The tiers, speeds and places that the call may be sent with, besides the standard. */
  readonly terms?: readonly ServiceTerms[];
  /** The longest that its prompt may be. */
  readonly promptMost?: number;
  /** The upstream's own tools that it offers. */
  readonly tools?: readonly PaidTool[];
  /** The request: read only if seconds or a resolution count. */
  readonly body?: Fields;
}

/** Usage to compare, and the tokens before it in the prompt, which are not compared. */
interface Sample {
  readonly usage: Usage;
  readonly before?: Usage;
}

/** So few tokens that no context step is reached. */
const SAMPLE_TOKENS = 1000;
const tokensOf = (...buckets: readonly PriceBucket[]): Partial<Usage> =>
  Object.fromEntries(buckets.map((bucket) => [bucket, SAMPLE_TOKENS]));

/** Usage that every model priced by token may have. */
const PARTS = [tokensOf('inputTokens'), tokensOf('cacheReadTokens'), tokensOf('outputTokens')];

/** The price of each part; undefined where none is set. */
type PartPrices = readonly (readonly [PriceBucket, number | undefined])[];

/**
 * Further parts, only for models that are known to have them: a loss on a part that no call uses must not exclude a
 * channel.
 */
const furtherParts = (
  cost: ChannelCost,
  { catalogue }: CostSources,
  model: string,
): readonly Partial<Usage>[] => {
  const own = ownOf(cost.models, model);
  const prices: PartPrices =
    own === undefined ? partsListed(catalogue.find(model)) : 'call' in own ? [] : partsOwned(own);
  return prices
    .filter(([, price]) => price !== undefined)
    .map(([part]) => (isKindOfCached(part) ? tokensOf('cacheReadTokens', part) : tokensOf(part)));
};

/** These count within the cached tokens. */
const isKindOfCached = (part: PriceBucket): boolean =>
  part === 'audioCacheReadTokens' || part === 'imageCacheReadTokens';

const partsListed = (listed: CataloguePrice | undefined): PartPrices => [
  ['audioCacheReadTokens', listed?.audioCacheSurcharge],
  ['imageCacheReadTokens', listed?.imageCacheSurcharge],
  ['cacheWrite5mTokens', listed?.createCacheRatio],
  ['cacheWrite1hTokens', listed?.createCacheRatio],
  ['imageInputTokens', listed?.imageRatio],
  ['audioInputTokens', listed?.audioRatio],
  ['audioOutputTokens', listed?.audioCompletionRatio],
  ['imageOutputTokens', listed?.imageCompletionRatio],
];

const partsOwned = (own: TokenCost): PartPrices => [
  ['audioCacheReadTokens', own.audio_cache_read],
  ['imageCacheReadTokens', own.image_cache_read],
  ['cacheWrite5mTokens', own.cache_write],
  ['cacheWrite1hTokens', own.cache_write_1h],
  ['imageInputTokens', own.image_input],
  ['audioInputTokens', own.audio_input],
  ['audioOutputTokens', own.audio_output],
  ['imageOutputTokens', own.image_output],
];

/** The dimensions of the price, and those of the cost. */
type Both = readonly (PriceDimensions | undefined)[];

/** Where the context steps that such a prompt may reach begin. */
const stepsWithin = (both: Both, promptMost = 0): readonly number[] => {
  const starts = both.flatMap((dimensions) => dimensions?.context?.steps.map(firstToken) ?? []);
  return [...new Set(starts)].filter((start) => start <= promptMost);
};

/** Terms without those that change neither price nor cost. A word that neither names costs as any other such word. */
const pricedTerms = (both: Both, terms: readonly ServiceTerms[] = []): readonly ServiceTerms[] =>
  terms
    .map((asked) => {
      const priced = termNames.flatMap((name) => {
        const word = asked[name] ?? STANDARD;
        const tables = both
          .map((dimensions) => dimensions?.[`${name}s`])
          .filter((table) => table !== undefined);
        if (word === STANDARD || tables.length === 0) return [];
        return [[name, tables.some((table) => ownOf<unknown>(table, word) !== undefined) ? word : UNPRICED]];
      });
      return Object.fromEntries(priced) as ServiceTerms;
    })
    .filter((asked) => Object.keys(asked).length > 0);

/** A word that no table has. */
const UNPRICED = 'other';

/**
 * What of a call changes whether it is sold below cost, as a short text: calls of one model with the same text are judged
 * alike. Undefined if only this one call can be judged.
 */
export const kindOfCall = (
  price: Price,
  cost: ChannelCost,
  { catalogue }: CostSources,
  { model, atMs, terms, promptMost, tools = [] }: Wanted,
): string | undefined => {
  const both = [price.factors.dimensions, dimensionsOfCost(cost, catalogue, model)];
  if (both.some((dimensions) => dimensions?.media !== undefined)) return undefined;
  const minute = both.some((dimensions) => dimensions?.hours !== undefined)
    ? Math.floor(atMs / MINUTE_MS)
    : 0;
  const words = pricedTerms(both, terms).map(({ tier = '', speed = '', place = '' }) =>
    [tier, speed, place].join('/'),
  );
  return [minute, stepsWithin(both, promptMost).length, words.join(' '), tools.join(' ')].join('|');
};

const NANO = BigInt(NANO_PER_USD);

/**
 * Whether a channel costs more for a call than it sells for: per call, per call of a tool, or per token of any
 * part that the model is known to have, each on its own, at each tier and context step that the call may get. Unknown costs do
 * not count as below cost: no cost, none for a bucket, or a cost per token beside a price per call.
 */
export const isBelowCost = (
  price: Price,
  cost: ChannelCost | undefined,
  sources: CostSources,
  wanted: Wanted,
): boolean => {
  if (cost === undefined) return false;
  const { model, atMs, terms, promptMost, tools = [], body = {} } = wanted;
  const isByCall = price.perToken === undefined;
  if (isByCall !== isCostedByCall(cost, sources.catalogue, model)) return false;
  const both = [price.factors.dimensions, dimensionsOfCost(cost, sources.catalogue, model)];
  const decided = priceOfMediaIfRead(price, body);
  // Where nobody can tell how many seconds are asked for, the call is refused.
  if (decided === undefined) return false;
  const sold = priceAt(decided, atMs);
  const parts = isByCall ? [{}] : [...PARTS, ...furtherParts(cost, sources, model)];
  const steps = stepsWithin(both, promptMost);
  const isByExcess = both.some((dimensions) => dimensions?.context?.charges === 'excess');
  const samples = [
    ...tools.map((tool): Sample => ({ usage: { ...noUsage, toolCalls: { [tool]: 1 } }, before: noUsage })),
    ...parts.flatMap((part) =>
      [0, ...steps].map((prompt) => sampleOf(part, { isByCall, isByExcess }, prompt)),
    ),
  ];
  const services = [{}, ...pricedTerms(both, terms).map((served): Service => ({ served }))];
  return services.some((service) =>
    samples.some((sample) =>
      isSampleBelow({ sold, cost, sources, bought: { model, service, times: 1, atMs, body } }, sample),
    ),
  );
};

/**
 * A part of a prompt that reaches so far, or of the answer to it. What stands before it is plain input; where tokens beyond a
 * step have another price than those before it, it is more of the same, because more cached tokens would move others over
 * the step.
 */
const sampleOf = (
  part: Partial<Usage>,
  { isByCall, isByExcess }: { readonly isByCall: boolean; readonly isByExcess: boolean },
  prompt: number,
): Sample => {
  const buckets = priceBuckets.filter(
    (bucket) => isByExcess && part[bucket] !== undefined && isOfPrompt(bucket),
  );
  const alike = buckets.length > 0 ? buckets : (['inputTokens'] as const);
  const before = { ...noUsage, ...Object.fromEntries(alike.map((bucket) => [bucket, prompt])) };
  const sum = priceBuckets.map((bucket) => [bucket, before[bucket] + (part[bucket] ?? 0)] as const);
  const usage = { ...noUsage, ...Object.fromEntries(sum) };
  return isByCall || prompt === 0 ? { usage } : { usage, before };
};

const isOfPrompt = (bucket: PriceBucket): boolean =>
  promptTokens({ ...noUsage, [bucket]: 1 }) > 0 || isKindOfCached(bucket);

interface Compared {
  readonly sold: Price;
  readonly cost: ChannelCost;
  readonly sources: CostSources;
  readonly bought: Omit<Bought, 'usage'>;
}

const NONE: Exact = { amount: 0n, scale: 1n };

const isSampleBelow = ({ sold, cost, sources, bought }: Compared, { usage, before }: Sample): boolean => {
  const costOfUsage = (of: Usage) => costOf(cost, sources, { ...bought, usage: of });
  const [all, less] = [costOfUsage(usage), before === undefined ? 0 : costOfUsage(before)];
  if (all === undefined || less === undefined) return false;
  const amount = amountOfAll(portionsOf(sold, usage, bought.service));
  const without = before === undefined ? NONE : amountOfAll(portionsOf(sold, before, bought.service));
  const units = amount.amount * without.scale - without.amount * amount.scale;
  // Each cost is rounded by less than one billionth.
  const nano = BigInt(all - less - (before === undefined ? 1 : 2));
  return nano * decimal(sold.quotaPerUnit) * amount.scale * without.scale > units * NANO * ONE;
};
