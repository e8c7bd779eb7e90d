import { expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { noUsage } from '#core/chat/usage.ts';
import { savedByCaches } from '#core/quota/saved-by-caches.ts';
import { receiptOf } from '#core/quota/price-steps.ts';
import { priceOf, quotaOf } from '#core/quota/price.ts';
import { tapMessage } from '../../dialects/openai-realtime/openai-realtime.ts';
import { readUsage } from '../../dialects/gemini/usage.ts';
import { readUsage as readOpenaiUsage } from '../../dialects/openai/usage/usage.ts';
import { loadPriceCatalogue } from './price-catalogue.ts';

/** Sound and pictures that a cache had cost what their maker asks for them, which may be more than for cached words. */

const catalogue = (await loadPriceCatalogue()).at(Date.UTC(2026, 10, 29));
const priceIn = (model: string, CacheRatio: Record<string, number> = {}) =>
  priceOf({ options: { ...initialOptions, CacheRatio }, catalogue }, model, 'default', 'default');
const used = (cached: number, sound: number) => ({
  ...noUsage,
  cacheReadTokens: cached,
  audioCacheReadTokens: sound,
});
const MILLION = 1_000_000;

it.each([
  // Dollars for a million tokens, in units: of cached words, and of cached sound.
  ['gemini-2.5-flash', 0.03, 0.1],
  ['gemini-2.0-flash', 0.025, 0.175],
  ['gpt-4o-realtime-preview', 2.5, 2.5],
  ['gpt-5.4', 0.25, 0.25],
])('%s: %f and %f', (model, words, sound) => {
  const price = priceIn(model);
  expect(quotaOf(price, used(MILLION, 0))).toBe(Math.round(words * 500_000));
  expect(quotaOf(price, used(MILLION, MILLION))).toBe(Math.round(sound * 500_000));
  const half = used(MILLION, MILLION / 2);
  expect(quotaOf(price, half)).toBe(Math.round((words + sound) * 250_000));
  expect(receiptOf(price, half).price_units).toBe(quotaOf(price, half));
});

// Google asks 0.30 dollars for a million tokens, and 0.10 for cached sound.
it.each([
  ['half of what input costs', 0.5, 0.15, 0.15],
  ['what the list has for words', 0.1, 0.03, 0.1],
  ['nothing', 0, 0, 0.1],
])(
  'where an operator sets what cached tokens cost, words in mind, sound costs that, but no less than listed: %s',
  (_, ratio, words, sound) => {
    const price = priceIn('gemini-2.5-flash', { 'gemini-2.5-flash': ratio });
    expect(quotaOf(price, used(MILLION, 0))).toBe(Math.round(words * 500_000));
    expect(quotaOf(price, used(MILLION, MILLION))).toBe(Math.round(sound * 500_000));
  },
);

it('cached sound saves at the price of sound', () => {
  const price = priceIn('gemini-2.5-flash');
  const usage = used(MILLION, MILLION);
  const paid = quotaOf(price, usage) ?? 0;
  expect(savedByCaches(usage, paid, (one) => quotaOf(price, one) ?? 0)).toBe(500_000 - 50_000);
});

// Dollars for a million tokens, in units: of cached words, and of cached pictures.
it.each([
  ['gpt-image-1', 1.25, 2.5],
  ['gpt-image-1.5', 1.25, 2],
  ['gpt-realtime', 0.4, 0.5],
  ['gpt-5.4', 0.25, 0.25],
])('pictures in the cache of %s: %f and %f', (model, words, pictures) => {
  const price = priceIn(model);
  const usage = { ...used(MILLION, 0), imageCacheReadTokens: MILLION / 2 };
  expect(quotaOf(price, usage)).toBe(Math.round((words + pictures) * 250_000));
  expect(receiptOf(price, usage).price_units).toBe(quotaOf(price, usage));
  const dearer = priceIn(model, { [model]: 8 });
  expect(quotaOf(dearer, usage)).toBe(quotaOf(dearer, used(MILLION, 0)));
});

it('cached pictures save at the price of pictures', () => {
  const price = priceIn('gpt-image-1');
  const usage = { ...used(MILLION, 0), imageCacheReadTokens: MILLION };
  const paid = quotaOf(price, usage) ?? 0;
  expect(savedByCaches(usage, paid, (one) => quotaOf(price, one) ?? 0)).toBe(5_000_000 - 1_250_000);
});

it('is told by kind in chats and responses, in the sum of the kind and of what is cached', () => {
  const cached_tokens_details = { text_tokens: 10, audio_tokens: 60, image_tokens: 20 };
  const told = { cached_tokens: 90, audio_tokens: 100, image_tokens: 70, cached_tokens_details };
  expect(readOpenaiUsage({ prompt_tokens: 200, prompt_tokens_details: told })).toEqual({
    ...noUsage,
    inputTokens: 20,
    cacheReadTokens: 90,
    audioCacheReadTokens: 60,
    imageCacheReadTokens: 20,
    imageInputTokens: 50,
    audioInputTokens: 40,
  });
  const onlyByKind = { audio_tokens: 40, cached_tokens_details: { audio_tokens: 30 } };
  expect(readOpenaiUsage({ input_tokens: 50, input_tokens_details: onlyByKind })).toEqual({
    ...used(30, 30),
    inputTokens: 10,
    audioInputTokens: 10,
  });
});

it('is told by Gemini by kind, and by a conversation in its details', () => {
  const told = {
    promptTokenCount: 1000,
    cachedContentTokenCount: 800,
    promptTokensDetails: [
      { modality: 'AUDIO', tokenCount: 900 },
      { modality: 'TEXT', tokenCount: 100 },
    ],
    cacheTokensDetails: [
      { modality: 'AUDIO', tokenCount: 750 },
      { modality: 'TEXT', tokenCount: 50 },
    ],
    candidatesTokenCount: 5,
    totalTokenCount: 1005,
  };
  expect(readUsage(told)).toMatchObject({
    inputTokens: 50,
    cacheReadTokens: 800,
    audioCacheReadTokens: 750,
    audioInputTokens: 150,
  });
  const usage = {
    total_tokens: 1100,
    input_tokens: 1000,
    output_tokens: 100,
    input_token_details: {
      text_tokens: 100,
      audio_tokens: 900,
      cached_tokens: 600,
      cached_tokens_details: { text_tokens: 64, audio_tokens: 536 },
    },
  };
  const done = { type: 'response.done', response: { id: 'r', usage } };
  expect(tapMessage(Buffer.from(JSON.stringify(done)))?.done?.usage).toMatchObject({
    inputTokens: 36,
    cacheReadTokens: 600,
    audioCacheReadTokens: 536,
    audioInputTokens: 364,
  });
});
