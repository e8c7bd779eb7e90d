import { z } from 'zod';
import { DEFAULT_GROUP } from '../../codes.ts';
import { endpoint } from '../../endpoint.ts';
import { modelDimensions, MOST_TOKENS } from '../../options/price-dimensions.ts';
import { factorNames, otherTokens } from '../../price-factors.ts';
import { issueKey, text, unixSeconds } from '../../text.ts';

const ratioMap = z.record(z.string(), z.number());

/** How many units are a dollar on the site that has a list: a model ratio of 1 is one unit a token. */
export const unitsToDollar = z.number().int().min(1).max(1e12);
const listedUnits = { quota_per_unit: unitsToDollar };

/** The price of one model. A model ratio of 1 is 2 USD for a million tokens, where 500,000 units are one. */
export const pricedModel = z.object({
  model_name: z.string(),
  /** 0 by tokens, 1 by calls. */
  quota_type: z.literal([0, 1]),
  model_ratio: z.number(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  /** USD for one call; 0 where the model is priced by tokens. */
  model_price: z.number(),
  owner_by: z.string(),
  /** Tokens of prompt and answer together; 0 if unknown. */
  context_window: z.number(),
  /** The caller's groups that serve it. */
  enable_groups: z.array(z.string()),
  /** What each of them pays in USD, its ratio included: for a million tokens, or for one call. */
  prices: z.record(
    z.string(),
    z.union([
      z.object({
        prompt: z.number(),
        completion: z.number(),
        cached: z.number(),
        /** Writing to the cache for five minutes; absent where nothing is charged for it apart. */
        written: z.number().optional(),
        /** What costs something else than these: sound, pictures, what is kept for an hour; absent where nothing does. */
        others: z.partialRecord(z.enum(otherTokens), z.number()).optional(),
      }),
      z.object({ call: z.number() }),
    ]),
  ),
  /** When it costs something else, and how many times as much: a long prompt, a service tier, speed, place, hours. */
  variants: z.array(
    z.object({
      kind: z.enum(['step', 'excess', 'tier', 'speed', 'place', 'hours', 'seconds', 'resolution']),
      /** The tokens a prompt has to have more of (`excess`: only those beyond cost it), the word to ask with, or the hours. */
      name: z.string(),
      input: z.number(),
      output: z.number(),
      call: z.number(),
    }),
  ),
});

export const readPricing = endpoint({
  method: 'GET',
  path: '/api/pricing',
  access: 'public',
  owner: 'none',
  summary: 'What every served model costs, for the caller or, signed out, for anybody',
  data: z.array(pricedModel),
  /** Ratio and description of each group the caller may use; its own group's special ratios already applied. */
  fields: z.object({ group_ratio: ratioMap, usable_group: z.record(z.string(), z.string()), ...listedUnits }),
});

export const readRatioConfig = endpoint({
  method: 'GET',
  path: '/api/ratio_config',
  access: 'public',
  owner: 'none',
  summary: 'The price tables, where the operator publishes them',
  data: z.object({
    model_ratio: ratioMap,
    completion_ratio: ratioMap,
    cache_ratio: ratioMap,
    create_cache_ratio: ratioMap,
    model_price: ratioMap,
  }),
  fields: z.object(listedUnits),
});

/** Admin: models without a price. */
export const listUnpriced = endpoint({
  method: 'GET',
  path: '/api/pricing/unset',
  access: 'admin',
  owner: 'none',
  summary: 'Served models that have neither a price nor a ratio, set or built in',
  data: z.array(z.string()),
});

const tokens = z.number().int().min(0).max(MOST_TOKENS);

const exampleCall = z
  .strictObject({
    prompt: tokens,
    cached: tokens.default(0),
    completion: tokens,
    /** Of a price per call that depends on them. */
    seconds: z.number().positive().max(36_000).optional(),
    resolution: text(40).optional(),
  })
  .refine(({ prompt, cached }) => cached <= prompt, {
    error: issueKey('issue_cached_of_prompt'),
    path: ['cached'],
  });

export const priceExample = endpoint({
  method: 'POST',
  path: '/api/pricing/example',
  access: 'admin',
  owner: 'none',
  summary: 'What calls would cost if a model had these dimensions, step by step; saves nothing',
  body: z.strictObject({
    model: text(255),
    dimensions: modelDimensions,
    group: text(100).default(DEFAULT_GROUP),
    tier: text(40).default('standard'),
    /** Unix seconds at which the calls begin; outside all hours where absent. */
    at: unixSeconds.optional(),
    calls: z.array(exampleCall).min(1).max(8),
  }),
  /** A receipt each, in the fields that the log has them in. */
  data: z.array(
    z.object({
      price_steps: z.array(
        z.object({
          bucket: z.string(),
          count: z.number(),
          factors: z.partialRecord(z.enum(factorNames), z.string()),
          unitsEach: z.string(),
          units: z.string(),
        }),
      ),
      price_sum: z.string(),
      /** Null where no balance can hold that much; so is `usd`. */
      price_units: z.number().nullable(),
      usd: z.number().nullable(),
    }),
  ),
});
