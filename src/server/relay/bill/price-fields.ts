import type { PaidTool } from '#contract/options/tool-prices.ts';
import type { Usage } from '#core/chat/usage.ts';
import { priceBuckets } from '#core/quota/price-factors.ts';
import { receiptText } from '#core/quota/price-steps.ts';
import { portionsOf } from '#core/quota/price-variants.ts';
import type { Price } from '#core/quota/price.ts';
import { type Service, unpricedTerms } from '#core/quota/served-terms.ts';
import { isSpecial, type ServiceTerms } from '#core/quota/service-terms.ts';
import { priceEntries } from '#core/quota/tool-prices.ts';

type Fields = Record<string, unknown>;

/** The values that a charge is computed from. */
export interface Priced {
  readonly price: Price;
  readonly priceVersion: number;
  readonly heldUnits: number;
  readonly service: Service;
}

/** The factors of a price as one line of text, for the log row of a call. */
export const priceText = ({ factors }: Price): string =>
  factors.modelPrice >= 0
    ? `model price ${String(factors.modelPrice)}, group ratio ${String(factors.groupRatio)}`
    : `model ratio ${String(factors.modelRatio)}, completion ratio ${String(factors.completionRatio)}, ` +
      `group ratio ${String(factors.groupRatio)}`;

/**
 * The price in detail, as the fields of a JSON object without its braces: its factors, and for each bucket the tokens
 * and their exact share. Every call writes this, so the fields that all calls at a price share are written once.
 */
export const priceFieldsText = (
  { price, priceVersion, heldUnits, service }: Priced,
  usage: Usage,
): string => {
  const { ratios, cacheRatio, source } = shareOf(price);
  return (
    `${ratios},"cache_tokens":${String(usage.cacheReadTokens)}${cacheRatio}` +
    `,"price_version":${String(priceVersion)}${source}` +
    `,${receiptText(portionsOf(price, usage, service))}` +
    `,"hold_units":${String(heldUnits)},"usage":{${usageText(usage)}}${rareFields(price, usage, service)}`
  );
};

/** The fields that all calls at a price share. Each begins with a comma, except the first. */
interface Share {
  readonly ratios: string;
  readonly cacheRatio: string;
  readonly source: string;
}

const shares = new WeakMap<Price, Share>();

const shareOf = (price: Price): Share => {
  let share = shares.get(price);
  if (share === undefined) {
    const { factors } = price;
    const ratios = {
      model_ratio: factors.modelRatio,
      completion_ratio: factors.completionRatio,
      model_price: factors.modelPrice,
      group_ratio: factors.groupRatio,
      user_group_ratio: factors.userGroupRatio,
    };
    share = {
      ratios: inner(ratios),
      cacheRatio: following({ cache_ratio: factors.cacheRatio }),
      source: following({ price_source: factors.source }),
    };
    shares.set(price, share);
  }
  return share;
};

/** The fields as JSON, without the braces. */
const inner = (fields: Fields): string => JSON.stringify(fields).slice(1, -1);

/** The fields as JSON to follow others, with a comma before each; empty if none has a value. */
const following = (fields: Fields): string => {
  const text = inner(fields);
  return text === '' ? '' : `,${text}`;
};

/** The buckets that are not empty. */
const usageText = (usage: Usage): string => {
  let text = '';
  for (const bucket of priceBuckets) if (usage[bucket] !== 0) text += `,"${bucket}":${String(usage[bucket])}`;
  if (usage.reasoningTokens !== 0) text += `,"reasoningTokens":${String(usage.reasoningTokens)}`;
  if (usage.toolCalls !== undefined) text += following({ toolCalls: usage.toolCalls });
  if (usage.estimated) text += ',"estimated":true';
  return text.slice(1);
};

const STANDARD_TERMS: ServiceTerms = {};

/** The fields that only few calls have: terms other than the standard, cache writes, pictures, sound and tools. */
const rareFields = (price: Price, usage: Usage, service: Service): string => {
  const { sent = STANDARD_TERMS, served = STANDARD_TERMS } = service;
  const isSpecialService = isSpecial(sent) || isSpecial(served);
  const { cacheWrite5mTokens, cacheWrite1hTokens, imageInputTokens, imageOutputTokens } = usage;
  const media = imageInputTokens + imageOutputTokens + usage.audioInputTokens + usage.audioOutputTokens;
  const isPlain = cacheWrite5mTokens + cacheWrite1hTokens + media === 0 && usage.toolCalls === undefined;
  if (isPlain && !isSpecialService) return '';
  const { factors } = price;
  const fields: Fields = {};
  if (isSpecialService) {
    const unpriced = unpricedTerms(price, { sent, served });
    fields['service'] = { sent, served, ...(unpriced.length > 0 && { unpriced }) };
  }
  if (usage.cacheWrite5mTokens + usage.cacheWrite1hTokens > 0) addCacheWrites(fields, price, usage);
  if (usage.imageInputTokens > 0) {
    Object.assign(fields, {
      image: true,
      image_ratio: factors.imageRatio,
      image_input: usage.imageInputTokens,
    });
  }
  if (usage.imageOutputTokens > 0)
    Object.assign(fields, {
      image: true,
      image_output: usage.imageOutputTokens,
      image_completion_ratio: factors.imageCompletionRatio ?? factors.completionRatio,
    });
  if (usage.audioInputTokens + usage.audioOutputTokens > 0) addAudio(fields, price, usage);
  for (const [tool, calls] of priceEntries(usage.toolCalls)) addToolCalls(fields, price, tool, calls);
  return following(fields);
};

const addCacheWrites = (fields: Fields, { factors }: Price, usage: Usage): Fields =>
  Object.assign(fields, {
    cache_creation_tokens: usage.cacheWrite5mTokens + usage.cacheWrite1hTokens,
    cache_creation_ratio: factors.createCacheRatio,
    cache_creation_tokens_5m: usage.cacheWrite5mTokens,
    cache_creation_tokens_1h: usage.cacheWrite1hTokens,
  });

/** US dollars for a thousand calls of a tool the upstream ran itself. */
const addToolCalls = (fields: Fields, { factors }: Price, tool: PaidTool, calls: number): Fields =>
  Object.assign(fields, {
    [tool]: true,
    [`${tool}_call_count`]: calls,
    [`${tool}_price`]: factors.toolPrices?.[tool] ?? 0,
  });

const addAudio = (fields: Fields, { factors }: Price, usage: Usage): Fields =>
  Object.assign(fields, {
    audio: true,
    audio_input: usage.audioInputTokens,
    audio_output: usage.audioOutputTokens,
    text_input: usage.inputTokens,
    text_output: usage.outputTokens,
    audio_ratio: factors.audioRatio,
    audio_completion_ratio: factors.audioCompletionRatio,
  });
