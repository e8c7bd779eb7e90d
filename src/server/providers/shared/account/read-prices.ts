import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { dollarsOfRatio } from '#contract/model-dollars.ts';
import type { ModelCost, TokenCost } from '#contract/channel/channel-cost.ts';
import type { AskedPrice, PriceReader } from '#core/channel/price-reader.ts';
import { type Fields, fieldsOf, textOf } from '#core/json/fields.ts';
import { hasFurtherPrices } from '#core/quota/further-prices.ts';
import { balanceCall } from './read-balance.ts';

const MILLION = 1_000_000;
/** The number of decimal places: more than any price has, and few enough to drop the noise of binary fractions. */
const PLACES = 9;
/** What the table of a channel accepts: see `channelCost`. */
const AMOUNT_MAX = 1_000_000;

type ReadRow = PriceReader['readRow'];

/** The names that upstreams use for the prices of a table. */
type Names = Readonly<Record<'input' | 'output', string>> &
  Readonly<Partial<Record<Exclude<keyof TokenCost, 'input' | 'output' | 'dimensions'>, string>>>;

/** A price, as a number or as text; undefined for any other value, and for the -1 of prices that vary. */
const amountIn = (value: unknown, times: number): number | undefined => {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  const amount = isNumber ? Number((Number(value) * times).toFixed(PLACES)) : NaN;
  return amount >= 0 && amount <= AMOUNT_MAX ? amount : undefined;
};

/** Reads prices of tokens. @param times what makes a price one of a million tokens */
const tokenCostIn = (prices: Fields, names: Names, times: number): TokenCost | undefined => {
  const input = amountIn(prices[names.input], times);
  const output = amountIn(prices[names.output], times);
  if (input === undefined || output === undefined) return undefined;
  const others = Object.entries(names).flatMap(([kind, name]) => {
    const amount = amountIn(prices[name], times);
    // Beside a paid input, a 0 says that nobody has set a price, and unknown is never free.
    const isUnset = amount === undefined || (amount === 0 && input > 0);
    return isUnset ? [] : [[kind, amount] as const];
  });
  return { ...Object.fromEntries(others), input, output };
};

/** A row `{ id, pricing }` of a list of models. `further` matches other fields of `pricing` that cost something. */
const rowOfModels =
  (
    names: Names,
    times: number,
    further?: RegExp,
    pricingOf = (row: Fields): unknown => row['pricing'],
  ): ReadRow =>
  (row) => {
    const model = textOf(row['id']);
    const pricing = fieldsOf(pricingOf(row));
    const cost = tokenCostIn(pricing, names, times);
    if (model === undefined || cost === undefined) return undefined;
    const isPartial = Object.entries(pricing).some(
      ([name, value]) => further?.test(name) === true && (typeof value === 'object' || Number(value) > 0),
    );
    return [model, { cost, isPartial }];
  };

/** OpenRouter: dollars per token (openrouter.ai/docs, list of models). A price per request comes on top of the tokens'. */
const openrouterRow = rowOfModels(
  {
    input: 'prompt',
    output: 'completion',
    cache_read: 'input_cache_read',
    cache_write: 'input_cache_write',
    audio_input: 'audio',
    audio_output: 'audio_output',
    audio_cache_read: 'input_audio_cache',
  },
  MILLION,
  /^(?:request|image|image_token|image_output|overrides)$/,
);

/** Vercel: dollars per token, tiers by length as lists (vercel.com/docs/ai-gateway, models). */
const vercelRow = rowOfModels(
  { input: 'input', output: 'output', cache_read: 'input_cache_read', cache_write: 'input_cache_write' },
  MILLION,
  /tiers$|^image/,
);

/** Together: dollars per million tokens; a model that runs by the hour has none (docs.together.ai, list all models). */
const togetherRow = rowOfModels(
  { input: 'input', output: 'output', cache_read: 'cached_input' },
  1,
  /^hourly$/,
);

/** DeepInfra: dollars per million tokens, inside `metadata` (docs.deepinfra.com, OpenAI API). */
const deepinfraRow = rowOfModels(
  { input: 'input_tokens', output: 'output_tokens', cache_read: 'cache_read_tokens' },
  1,
  undefined,
  (row) => fieldsOf(row['metadata'])['pricing'],
);

const BY_CALL = 1;
const FAMILY_NAMES: Names = {
  input: 'input',
  output: 'completion_ratio',
  cache_read: 'cache_ratio',
  cache_write: 'create_cache_ratio',
};

/**
 * Gateways of this family: a dollar per call, or ratios of which 1 is a unit a token, at a group ratio of 1. Nearly all of
 * them have 500,000 units to the dollar, and few lists tell it.
 */
const familyRow: ReadRow = (row, unitsToDollar = QUOTA_PER_UNIT) => {
  const model = textOf(row['model_name']);
  if (model === undefined || row['quota_type'] === undefined) return undefined;
  const isPartial = hasFurtherPrices(row);
  const asked = (cost: ModelCost): [string, AskedPrice] => [model, { cost, isPartial }];
  if (row['quota_type'] === BY_CALL) {
    const call = amountIn(row['model_price'], 1);
    return call === undefined ? undefined : asked({ call });
  }
  const input = amountIn(row['model_ratio'], dollarsOfRatio(unitsToDollar));
  const cost = input === undefined ? undefined : tokenCostIn({ ...row, input: 1 }, FAMILY_NAMES, input);
  return cost && asked(cost);
};

const LITELLM_NAMES: Names = {
  input: 'input_cost_per_token',
  output: 'output_cost_per_token',
  cache_read: 'cache_read_input_token_cost',
  cache_write: 'cache_creation_input_token_cost',
  cache_write_1h: 'cache_creation_input_token_cost_above_1hr',
  audio_input: 'input_cost_per_audio_token',
  audio_output: 'output_cost_per_audio_token',
  audio_cache_read: 'cache_read_input_audio_token_cost',
  image_input: 'input_cost_per_image_token',
  image_output: 'output_cost_per_image_token',
};
const LITELLM_FURTHER = /_above_(?!1hr$)|_per_(?:image(?!_token)|second|character|query)/;

/** LiteLLM's proxy: dollars per token (docs.litellm.ai, `/model/info`). */
const litellmRow: ReadRow = (row) => {
  const model = textOf(row['model_name']);
  const info = fieldsOf(row['model_info']);
  const cost = tokenCostIn(info, LITELLM_NAMES, MILLION);
  if (model === undefined || cost === undefined) return undefined;
  const isPartial = Object.entries(info).some(
    ([name, value]) => LITELLM_FURTHER.test(name) && Number(value) > 0,
  );
  return [model, { cost, isPartial }];
};

const pricesAt = (readRow: ReadRow, ...paths: readonly string[]): PriceReader => ({
  requests: (channel) => paths.map((path) => balanceCall(channel, path)),
  readRow,
});

export const openrouterPrices = pricesAt(openrouterRow, '/v1/models');
export const vercelPrices = pricesAt(vercelRow, '/v1/models');
export const togetherPrices = pricesAt(togetherRow, '/v1/models');
export const deepinfraPrices = pricesAt(deepinfraRow, '/v1/openai/models');

/** What stands behind an address of OpenAI's paths: a gateway of this family, LiteLLM's, or one whose list names prices. */
export const gatewayPrices = pricesAt(
  (row, unitsToDollar) => familyRow(row, unitsToDollar) ?? litellmRow(row) ?? openrouterRow(row),
  '/api/pricing',
  '/model/info',
  '/v1/models',
);
