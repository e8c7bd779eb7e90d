import { z } from 'zod';
import { CHANNEL_MODELS_MAX, MODEL_NAME_MAX_LENGTH } from '../limits.ts';
import { modelDimensions } from '../options/price-dimensions.ts';
import { paidTools } from '../options/tool-prices.ts';
import { entriesAtMost } from '../text.ts';
import { dailyAllowances } from './daily-allowance.ts';

/** At most twelve decimal places count. */
const amount = z.number().min(0).max(1_000_000);

/** What the amounts depend on besides tokens, in the same words as a price. */
const dimensions = modelDimensions.omit({ ratios: true });

const currencyCode = z.string().regex(/^[A-Z]{3}$/);

/** What one model costs: for a million tokens, or for one call. What is left out costs as plain input does. */
export const modelCost = z.union([
  z.strictObject({
    input: amount,
    output: amount,
    cache_read: amount.optional(),
    /** Cached sound and pictures: without a price, as other cached tokens. */
    audio_cache_read: amount.optional(),
    image_cache_read: amount.optional(),
    cache_write: amount.optional(),
    cache_write_1h: amount.optional(),
    image_input: amount.optional(),
    /** Sound and drawn pictures are dear: where no price is given, what they cost is not known. */
    audio_input: amount.optional(),
    audio_output: amount.optional(),
    image_output: amount.optional(),
    dimensions: dimensions.omit({ media: true }).optional(),
  }),
  z.strictObject({ call: amount, dimensions: dimensions.optional() }),
]);

/** What the operator pays for a channel: field `cost` of its `setting`. */
export const channelCost = z.strictObject({
  /** Of the amounts below, and of what a listed dollar is bought for; US dollars where none is named. */
  currency: currencyCode.optional(),
  /** What is paid for each dollar of the list price. Without it only `models` are known. */
  factor: z.number().min(0).max(1000).optional(),
  /** By the upstream's name of the model; wins over the factor. */
  models: z
    .record(z.string().min(1).max(MODEL_NAME_MAX_LENGTH), modelCost)
    .superRefine(entriesAtMost(CHANNEL_MODELS_MAX))
    .optional(),
  /** For a thousand calls of a tool that the upstream runs; others cost their list price times the factor. */
  tools: z.partialRecord(z.enum(paidTools), amount).optional(),
  /** What costs nothing, up to an amount a day. */
  allowances: dailyAllowances.optional(),
});

export type ChannelCost = Readonly<z.output<typeof channelCost>>;
export type ModelCost = z.output<typeof modelCost>;
/** The prices of a model that is paid by tokens. */
export type TokenCost = Exclude<ModelCost, { readonly call: number }>;

const dated = z.strictObject({
  /** The first day it holds, UTC. */
  from: z.iso.date(),
  /** US dollars for one of the currency. */
  usd: z.number().positive().max(1_000_000),
});

/** Dated rates of each currency. */
export const currencyRates = z.record(currencyCode, z.array(dated).max(1000));

export type CurrencyRates = Readonly<z.output<typeof currencyRates>>;
