import type { PaidTool } from '#contract/options/tool-prices.ts';
import type { PriceDimensions, PricePart } from '#contract/options/price-dimensions.ts';
import type { FactorName } from '#contract/price-factors.ts';
import type { Usage } from '../chat/usage.ts';
import type { ToolPrices } from './tool-prices.ts';

/** The buckets of `Usage` that have a price of their own. */
export const priceBuckets = [
  'inputTokens',
  'cacheReadTokens',
  'cacheWrite5mTokens',
  'cacheWrite1hTokens',
  'imageInputTokens',
  'audioInputTokens',
  'outputTokens',
  'audioOutputTokens',
  'imageOutputTokens',
  // Last, because rows list their buckets in this order. They count the surcharge of cached audio and pictures over other
  // cached tokens.
  'audioCacheReadTokens',
  'imageCacheReadTokens',
] as const satisfies readonly (keyof Usage)[];

/** A kind of token with a price factor of its own. */
export type PriceBucket = (typeof priceBuckets)[number];

/** The factors of a price, in the operator's terms. */
export interface PriceFactors {
  /** −1 if the model is priced per call. */
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly cacheRatio: number;
  /** The surcharge of cached audio; absent if there is none. */
  readonly audioCacheSurcharge?: number;
  /** The same of cached pictures. */
  readonly imageCacheSurcharge?: number;
  readonly createCacheRatio: number;
  readonly imageRatio: number;
  readonly audioRatio: number;
  readonly audioCompletionRatio: number;
  /** For generated pictures; absent in older records, where they cost as text. */
  readonly imageCompletionRatio?: number;
  /** USD for a thousand calls of the upstream's own tools; absent in older records. */
  readonly toolPrices?: ToolPrices;
  /** USD for one call; −1 if the model is priced by tokens. */
  readonly modelPrice: number;
  readonly groupRatio: number;
  /** The ratio of `GroupGroupRatio`; −1 if there is none. */
  readonly userGroupRatio: number;
  /** How many times the price per call is charged; absent for once. */
  readonly times?: number;
  /** The duration and resolution, once decided; absent if the price does not depend on them. */
  readonly media?: DecidedMedia;
  readonly source: 'option' | 'catalogue' | 'self-use';
  /**
   * Buckets priced like text because neither operator nor catalogue has a price for them; absent if there are none.
   */
  readonly soldAsText?: readonly PriceBucket[];
  /** The model is known to charge for cache writes. */
  readonly writesCache: boolean;
  /** The price of a one-hour cache write relative to a five-minute one; absent for the usual ratio. */
  readonly oneHour?: number;
  /** Dimensions that are still open: `price-variants.ts` decides them. */
  readonly dimensions?: PriceDimensions;
  /** Dimensions that are already decided. */
  readonly adjustments?: readonly Adjustment[];
}

/** The media terms of a request: its duration, and the words for its size. */
export interface AskedMedia {
  readonly seconds?: number;
  readonly words: readonly string[];
}

interface DecidedMedia {
  readonly asked: AskedMedia;
  readonly seconds?: number;
  /** Its price factor. */
  readonly resolution?: number;
}

/** A decided dimension: a factor for each part of the price. */
export interface Adjustment {
  readonly name: FactorName;
  readonly of: Readonly<Record<PricePart, number>>;
}

/** A number that a price is multiplied by. */
export type Factor = readonly [FactorName, number];

/** A one-hour cache write costs 1.6 times a five-minute one (6 USD to 3.75 at the provider that sells both). */
const ONE_HOUR = 1.6;

/** The factors of a bucket's price besides the ratios of model and group. */
const bucketFactors: { readonly [Bucket in PriceBucket]: (factors: PriceFactors) => readonly Factor[] } = {
  inputTokens: () => [],
  cacheReadTokens: ({ cacheRatio }) => [['cacheRatio', cacheRatio]],
  cacheWrite5mTokens: ({ createCacheRatio }) => [['createCacheRatio', createCacheRatio]],
  cacheWrite1hTokens: ({ createCacheRatio, oneHour = ONE_HOUR }) => [
    ['createCacheRatio', createCacheRatio],
    ['oneHour', oneHour],
  ],
  imageInputTokens: ({ imageRatio }) => [['imageRatio', imageRatio]],
  audioInputTokens: ({ audioRatio }) => [['audioRatio', audioRatio]],
  outputTokens: ({ completionRatio }) => [['completionRatio', completionRatio]],
  audioOutputTokens: ({ audioRatio, audioCompletionRatio }) => [
    ['audioRatio', audioRatio],
    ['audioCompletionRatio', audioCompletionRatio],
  ],
  imageOutputTokens: ({ imageCompletionRatio, completionRatio }) => [
    ['imageCompletionRatio', imageCompletionRatio ?? completionRatio],
  ],
  audioCacheReadTokens: ({ audioCacheSurcharge = 0 }) => [['audioCacheSurcharge', audioCacheSurcharge]],
  imageCacheReadTokens: ({ imageCacheSurcharge = 0 }) => [['imageCacheSurcharge', imageCacheSurcharge]],
};

const groupFactor = ({ groupRatio, userGroupRatio }: PriceFactors): Factor => [
  userGroupRatio < 0 ? 'groupRatio' : 'userGroupRatio',
  groupRatio,
];

const partOf: Readonly<Record<PriceBucket, PricePart>> = {
  inputTokens: 'input',
  cacheReadTokens: 'cacheRead',
  cacheWrite5mTokens: 'cacheWrite',
  cacheWrite1hTokens: 'cacheWrite',
  imageInputTokens: 'input',
  audioInputTokens: 'input',
  outputTokens: 'output',
  audioOutputTokens: 'output',
  imageOutputTokens: 'output',
  audioCacheReadTokens: 'cacheRead',
  imageCacheReadTokens: 'cacheRead',
};

const adjusted = ({ adjustments = [] }: PriceFactors, part: PricePart): readonly Factor[] =>
  adjustments.flatMap(({ name, of }): readonly Factor[] => (of[part] === 1 ? [] : [[name, of[part]]]));

/** The factors whose product is the units of one token. */
export const tokenFactors = (factors: PriceFactors, bucket: PriceBucket): readonly Factor[] => [
  ['modelRatio', factors.modelRatio],
  ...bucketFactors[bucket](factors),
  ...adjusted(factors, partOf[bucket]),
  groupFactor(factors),
];

const mediaFactors = ({ media = { asked: { words: [] } } }: PriceFactors): readonly Factor[] => [
  ...(media.seconds === undefined ? [] : [['seconds', media.seconds] as const]),
  ...(media.resolution === undefined ? [] : [['resolution', media.resolution] as const]),
];

/** The factors whose product is the units of one call, for a model priced per call. */
export const callFactors = (factors: PriceFactors, quotaPerUnit: number): readonly Factor[] => [
  ['perCall', factors.modelPrice],
  ['quotaPerUnit', quotaPerUnit],
  ...(factors.times === undefined ? [] : [['times', factors.times] as const]),
  ...mediaFactors(factors),
  ...adjusted(factors, 'call'),
  groupFactor(factors),
];

/** The factors whose product is the units of one call of an upstream's own tool. */
export const toolFactors = (
  factors: PriceFactors,
  tool: PaidTool,
  quotaPerUnit: number,
): readonly Factor[] => [
  ['perThousandCalls', factors.toolPrices?.[tool] ?? 0],
  ['quotaPerThousandth', quotaPerUnit / 1000],
  groupFactor(factors),
];
