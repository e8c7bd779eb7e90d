import { z } from 'zod';
import { endpoint, idParams, nothing } from '../../endpoint.ts';
import { URL_MAX_LENGTH } from '../../limits.ts';
import { priceOptions } from '../../price-book.ts';
import { exactlyOneOf, text, trimmed } from '../../text.ts';
import { PRICE_ENTRIES_MAX_VALUES, PRICE_KEY_MAX_LENGTH, priceEntries } from './price-book.ts';
import { pricedModel, unitsToDollar } from './pricing.ts';

const DAYS_MAX = 90;
const webAddress = trimmed(URL_MAX_LENGTH).regex(/^https?:\/\//i);
export const startPricePreview = endpoint({
  method: 'POST',
  path: '/api/price_book/preview',
  access: 'admin',
  owner: 'none',
  summary:
    'Charge the calls of the last days again, by the prices that count and by a draft; one run at a time',
  body: z
    .strictObject({
      draft: z.number().int().min(1).optional(),
      entries: priceEntries.optional(),
      days: z.number().int().min(1).max(DAYS_MAX),
    })
    .superRefine(exactlyOneOf('draft', 'entries'))
    .meta({ description: 'exactly one of draft and entries' }),
  bodyMaxValues: PRICE_ENTRIES_MAX_VALUES,
  data: z.object({ id: z.number() }),
});

/** Units that calls would have been charged; the cost, in billionths of a US dollar, of those whose cost is known. */
const previewSum = z.object({
  count: z.number(),
  now: z.number(),
  draft: z.number(),
  cost_nano_usd: z.number(),
  /** Of the calls whose cost is known: what the margin is of. */
  costed_now: z.number(),
  costed_draft: z.number(),
});
const namedSum = previewSum.extend({ id: z.number(), name: z.string() });

export const readPricePreview = endpoint({
  method: 'GET',
  path: '/api/price_book/preview/:id',
  access: 'admin',
  owner: 'none',
  summary: 'The progress and the result of a preview',
  params: idParams,
  data: z.object({
    state: z.enum(['running', 'done', 'cancelled', 'failed']),
    /** 0 to 1. */
    progress: z.number(),
    count: z.number(),
    result: z
      .object({
        totals: previewSum.extend({
          /** What was charged for these calls. */
          charged: z.number(),
          /** Calls without a price; they are counted with 0. */
          unpriced_now: z.number(),
          unpriced_draft: z.number(),
        }),
        /** Calls that do not tell what they were charged by: tasks, and rows of older versions. */
        left_out: z.object({ count: z.number(), quota: z.number() }),
        models: z.array(namedSum),
        /** `id` counts days since 1970. */
        days: z.array(namedSum),
        /** The ten who would pay most more. */
        users: z.array(namedSum),
        duration_ms: z.number(),
      })
      .nullable(),
  }),
});

export const cancelPricePreview = endpoint({
  method: 'DELETE',
  path: '/api/price_book/preview/:id',
  access: 'admin',
  owner: 'none',
  summary: 'End a preview',
  params: idParams,
  data: nothing,
});

export const comparePrices = endpoint({
  method: 'POST',
  path: '/api/price_book/compare',
  access: 'admin',
  owner: 'none',
  summary: 'Prices that differ from the bundled list, or from a list at an address; saves nothing',
  /** Without an address the bundled list. */
  body: z.strictObject({
    url: webAddress.optional(),
    /** How many units are a dollar there, for a list of ratios that does not tell; as many as usual where absent. */
    quota_per_unit: unitsToDollar.optional(),
  }),
  data: z.array(
    z.object({
      option: z.enum(priceOptions),
      key: z.string(),
      /** Null where there is none here. */
      before: z.number().nullable(),
      after: z.number(),
      /**
       * Why it is not taken unseen: by the call against by tokens (never taken), to nothing, far away, there are prices
       * of long prompts, sound or pictures too, which do not come with it, or another price of its model is not taken.
       */
      held: z.enum(['none', 'flip', 'zero', 'far', 'partial', 'together']),
    }),
  ),
  /** What the ratios of the list were taken at, and whether the list tells; null where it has none. */
  fields: z.object({ quota_per_unit: z.number().nullable(), is_told: z.boolean() }),
});

export const readPriceHistory = endpoint({
  method: 'GET',
  path: '/api/pricing/history',
  access: 'public',
  owner: 'none',
  summary: 'What a model has cost over time, in the groups the caller may use; the newest first',
  query: z.object({ model: text(PRICE_KEY_MAX_LENGTH) }),
  data: z.array(
    z.object({
      /** Since when; null for what it cost before the first change that is known. */
      from: z.number().nullable(),
      prices: pricedModel.shape.prices,
      variants: pricedModel.shape.variants,
    }),
  ),
});
