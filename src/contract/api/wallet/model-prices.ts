import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { MODEL_NAME_MAX_LENGTH, SEARCH_MAX_LENGTH } from '../../limits.ts';
import { page, pageQuery, sortQuery } from '../../paging.ts';
import { priceOrigins } from '../../price-factors.ts';
import { issueKey, text, trimmed, unixSeconds } from '../../text.ts';
import { PRICE_REASON_MAX_LENGTH, priceOutcome, priceVersionNumber } from './price-book.ts';

/** More than a site offers; the options that keep the prices have a limit of their own. */
export const MODEL_PRICES_AT_ONCE = 2000;

const ratio = z.number().min(0).max(1e9).nullable();

/** What the operator set for a model; null where nothing is. A price per call stands alone. */
const setPrice = z.strictObject({
  /** US dollars for one call. */
  price: ratio,
  ratio,
  completion_ratio: ratio,
  cache_ratio: ratio,
  create_cache_ratio: ratio,
});

/** US dollars for a million tokens, before the ratio of any group; null for a cache that is not paid for apart. */
const tokenDollars = z.object({
  input: z.number(),
  output: z.number(),
  cache_read: z.number().nullable(),
  cache_write: z.number().nullable(),
});

export const modelPrice = z.object({
  model: z.string(),
  origin: z.enum(priceOrigins),
  /** What a call or a million tokens cost; null if there is no price. */
  usd: z.union([tokenDollars, z.object({ call: z.number() })]).nullable(),
  set: setPrice,
  /** The ratios that count, set or not; null without a price by tokens. */
  ratios: z
    .object({
      model: z.number(),
      completion: z.number(),
      cache: z.number(),
      create_cache: z.number(),
    })
    .nullable(),
  /** Output costs what input does, only because nobody said what it costs: it may be sold below its cost. */
  output_as_input: z.boolean(),
  /** The ratios that count where nothing is set; without a ratio of its own the model has no price. */
  usual: z.object({
    model: z.number().nullable(),
    completion: z.number(),
    cache: z.number(),
    create_cache: z.number(),
  }),
  /** What it costs by the bundled list, whatever was set. */
  catalogue: tokenDollars.nullable(),
  /** In how many ways the price is another: long prompts, tiers, hours. */
  variants: z.number(),
  /** Of the prices, when it was read: a change of it names this as its base. */
  version: z.number(),
  /** Groups that reach it. */
  groups: z.array(z.string()),
});

export const listModelPrices = endpoint({
  method: 'GET',
  path: '/api/pricing/models',
  access: 'admin',
  owner: 'none',
  summary: 'Every offered model with its price and where that comes from; those without one first',
  query: z.object({
    ...pageQuery,
    keyword: text(SEARCH_MAX_LENGTH).default(''),
    origin: z.enum(['', ...priceOrigins]).default(''),
    group: text(64).default(''),
    ...sortQuery('model', 'input', 'output', 'cache_read', 'cache_write', 'origin'),
  }),
  data: page(modelPrice),
  /** How many there are from each origin, whatever is asked for. */
  fields: z.object({ counts: z.record(z.enum(priceOrigins), z.number()) }),
});

const change = setPrice
  .extend({ model: text(MODEL_NAME_MAX_LENGTH).min(1) })
  .refine(
    ({ price, ...ratios }) =>
      price === null ||
      (ratios.ratio === null &&
        ratios.completion_ratio === null &&
        ratios.cache_ratio === null &&
        ratios.create_cache_ratio === null),
    { error: issueKey('issue_price_or_ratios'), path: ['price'] },
  );

export const setModelPrices = endpoint({
  method: 'PUT',
  path: '/api/pricing/models',
  access: 'admin',
  owner: 'none',
  fresh: 'by-input',
  summary:
    'Set what models cost, now or at a time, all or none, as one version of the prices; other models keep theirs',
  body: z.strictObject({
    models: z.array(change).min(1).max(MODEL_PRICES_AT_ONCE),
    /** As the price book keeps it. */
    reason: trimmed(PRICE_REASON_MAX_LENGTH).optional(),
    /** The version that was looked at: nothing is changed if others have changed one of these since. */
    base: priceVersionNumber.optional(),
    /** Unix seconds; now where absent. */
    at: unixSeconds.optional(),
  }),
  // Each is seven values.
  bodyMaxValues: 8 * MODEL_PRICES_AT_ONCE,
  data: priceOutcome.extend({
    /** Of these models, those whose output now costs what input does, because nobody said what it costs. */
    output_as_input: z.array(z.string()),
  }),
});
