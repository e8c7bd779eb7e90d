import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import { noUsage } from '#core/chat/usage.ts';
import { findPrice, priceOf, quotaOf } from '#core/quota/price.ts';
import { priceAt, quotaAt } from '#core/quota/price-variants.ts';
import { isOutputUntold } from '#core/quota/untold-parts.ts';
import { usdPrices } from '#core/quota/usd-prices.ts';
import { loadPriceCatalogue } from './price-catalogue.ts';

const list = await loadPriceCatalogue();
const catalogue = list.at(Date.UTC(2026, 10, 29));

test.each([
  ['gpt-4o', { modelRatio: 1.25, completionRatio: 4, cacheRatio: 0.5 }],
  ['gpt-4o-mini', { modelRatio: 0.075, completionRatio: 4, cacheRatio: 0.5 }],
  [
    'claude-3-5-sonnet-20241022',
    { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1, createCacheRatio: 1.25 },
  ],
  ['text-embedding-3-small', { modelRatio: 0.01, completionRatio: 0 }],
  ['text-embedding-ada-002', { modelRatio: 0.05, completionRatio: 0 }],
  ['omni-moderation-latest', { modelRatio: 0 }],
  // 15 and 30 dollars for a million characters; 0.006 for a minute, which counts as 1000 tokens.
  ['tts-1', { modelRatio: 7.5 }],
  ['tts-1-hd', { modelRatio: 15 }],
  ['whisper-1', { modelRatio: 3 }],
  ['sonar-pro', { modelRatio: 1.5, completionRatio: 5 }],
  ['amazon.titan-embed-text-v1', { modelRatio: 0.05 }],
  ['amazon.titan-embed-text-v2:0', { modelRatio: 0.01 }],
  ['amazon.nova-lite-v1:0', { modelRatio: 0.03, completionRatio: 4 }],
  ['gemini-2.5-pro', { modelRatio: 0.625, completionRatio: 8, cacheRatio: 0.1 }],
  ['gemini-2.5-flash-image', { modelRatio: 0.15, imageCompletionRatio: 100 }],
  // Sound: 40 dollars a million tokens in and 80 out, of the small one 10 and 20.
  ['gpt-4o-audio-preview', { modelRatio: 1.25, audioRatio: 16, audioCompletionRatio: 2 }],
  ['gpt-4o-mini-audio-preview', { modelRatio: 0.075, audioRatio: 66.666666667, audioCompletionRatio: 2 }],
  // A film that is made: 17.50 dollars to 1.50.
  ['gemini-omni-flash-preview', { modelRatio: 0.75, completionRatio: 6, imageCompletionRatio: 11.666666667 }],
  ['gpt-image-1.5', { modelRatio: 2.5, completionRatio: 2, imageRatio: 1.6, imageCompletionRatio: 6.4 }],
])('knows the list price of %s as ratios', (model, price) => {
  expect(catalogue.find(model)).toMatchObject(price);
});

test.each([
  'no-such-model-at-all',
  'claude-sonnet-5-6',
  'claude-sonnet-5.6',
  'claude-sonnet-5-6-20270101',
  'claude-sonnet-5-5-mini',
  'us.anthropic.claude-sonnet-5-6',
  'claude-opus-4.6-fast',
  'gpt-5.6-sol-pro',
  'gpt-5.6-sol-mini',
  'gemini-3.8-flash-image',
  'gemini-2.0-flash-exp-image-generation',
  'deepseek-r1-distill-llama-8b',
  'deepseek-r1t-chimera',
  'amazon.titan-embed-text-v3:0',
])('has no price for %s: it is not the listed model whose name it begins with', (model) => {
  expect(catalogue.find(model)).toBeUndefined();
});

test.each([
  ['claude-sonnet-5', 'claude-sonnet-5.0'],
  // Which its maker sells at the same price.
  ['claude-sonnet-5', 'claude-sonnet-5-5'],
  ['claude-sonnet-5', 'claude-sonnet-5.5-20260928'],
  ['claude-sonnet-4-5', 'claude-sonnet-4-5@20250929'],
  ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929-thinking'],
  ['gemini-2.5-flash-lite', 'gemini-2.5-flash-lite-preview-06-17'],
  ['gemini-2.5-pro', 'gemini-2.5-pro-exp-03-25'],
  ['gemini-live-2.5-flash', 'gemini-2.5-flash-native-audio-preview-12-2025'],
  ['gemini-3.1-pro-preview', 'gemini-3.1-pro-preview-customtools'],
  ['deepseek-v4-pro', 'deepseek-v4-pro-ga-260813'],
  ['gpt-5-nano', 'gpt-5-nano-2025-08-07'],
  ['GPT-5.4', 'gpt-5.4-2026-03-05'],
])('%s has a price, and its release %s has the same', (model, release) => {
  expect(catalogue.find(model)).toMatchObject({ modelRatio: expect.any(Number) as number });
  expect(catalogue.find(release)).toEqual(catalogue.find(model));
});

/** What a million tokens cost in dollars, in and out, at a time. */
const dollarsAt = (atMs: number, model: string) => {
  const price = findPrice({ catalogue: list.at(atMs), options: initialOptions }, model, 'default', 'default');
  return price && usdPrices(price.factors, 500_000);
};

describe('a price that its maker changes at a date', () => {
  const NEW_YEAR_MS = Date.UTC(2027, 0, 1);

  // Dollars for a million tokens in and out (ai.google.dev/gemini-api/docs/pricing, November 2026: "through December 31, 2026").
  it.each([
    ['gemini-3.6-flash', 0.75, 3.75],
    ['gemini-3.7-flash', 0.75, 3.75],
    ['gemini-3.8-flash', 0.75, 3.75],
    ['gemini-3.8-flash-tts', 0.5, 9],
    ['gemini-3.8-flash-lite-tts', 0.5, 6],
  ])('of %s is %d and %d to the last moment, and twice as much from then on', (model, input, output) => {
    expect(dollarsAt(NEW_YEAR_MS - 1, model)).toMatchObject({ prompt: input, completion: output });
    expect(dollarsAt(NEW_YEAR_MS, model)).toMatchObject({ prompt: input * 2, completion: output * 2 });
    // A clock that was put back has the price of its day.
    expect(dollarsAt(NEW_YEAR_MS - 1, model)).toMatchObject({ prompt: input });
  });

  it('is announced, so that a server that runs on takes it up', () => {
    expect(list.changesAfter(Date.UTC(2026, 10, 29))).toBe(NEW_YEAR_MS);
    expect(list.at(Date.UTC(2026, 10, 29))).toBe(list.at(NEW_YEAR_MS - 1));
    expect(list.at(NEW_YEAR_MS)).not.toBe(list.at(NEW_YEAR_MS - 1));
  });

  it('is taken up at every date that the package names', async () => {
    const file = fileURLToPath(import.meta.resolve('@pydantic/genai-prices'));
    const text = await readFile(file, 'utf8');
    const dates = [...text.matchAll(/start_date: "(\d{4}-\d\d-\d\d)"/g)].map(([, day = '']) =>
      Date.parse(day),
    );
    const coming = [...new Set(dates)].filter((startMs) => startMs > Date.UTC(2026, 10, 29));
    expect(coming.length).toBeGreaterThan(0);
    for (const startMs of coming) expect(list.changesAfter(startMs - 1)).toBe(startMs);
  });
});

test('speech costs what its maker charges for sound, not what the model of that name charges for text', () => {
  const million = { ...noUsage, audioOutputTokens: 1_000_000 };
  const spoken = (model: string) => {
    const price = findPrice({ catalogue, options: initialOptions }, model, 'default', 'default');
    return price && (quotaOf(price, million) ?? NaN) / 500_000;
  };
  expect(spoken('gemini-3.8-flash-tts')).toBe(9);
  expect(spoken('gemini-3.8-flash-lite-tts')).toBe(6);
  expect(spoken('gemini-3.1-flash-tts-preview')).toBe(20);
  expect(spoken('gemini-2.5-flash-preview-tts')).toBe(10);
});

// What OpenAI says a minute costs (platform.openai.com/docs/pricing, November 2026); 1000 tokens of sound here.
test.each([
  ['gpt-4o-transcribe', 0.006],
  ['gpt-4o-mini-transcribe', 0.003],
  ['whisper-1', 0.006],
])(
  'a minute that %s hears costs %d dollars, also where its upstream does not tell its length',
  (model, dollars) => {
    const price = findPrice({ catalogue, options: initialOptions }, model, 'default', 'default');
    expect(price && quotaOf(price, { ...noUsage, audioInputTokens: 1000 })).toBe(dollars * 500_000);
  },
);

describe('a price of which only the input is set', () => {
  const sources = (options: Partial<OptionValues>) => ({
    catalogue,
    options: { ...initialOptions, GroupRatio: {}, ...options },
  });
  const priced = (model: string, options: Partial<OptionValues> = {}) =>
    findPrice(sources({ ModelRatio: { [model]: 1 }, ...options }), model, '', '');
  const dollars = (model: string, options: Partial<OptionValues> = {}) => {
    const price = priced(model, options);
    return price && usdPrices(price.factors, 500_000);
  };

  // Two dollars in. What the makers of the same models ask for output, as a multiple.
  it.each<[string, number]>([
    ['gpt-5.4', 6],
    ['openai/gpt-5.4', 6],
    ['anthropic/claude-opus-4.5:beta', 5],
    ['ft:gpt-4.1:acme::1', 4],
  ])('sells the output of %s at %d times its input, not at the price of input', (model, times) => {
    expect(dollars(model)).toMatchObject({ prompt: 2, completion: 2 * times });
    expect(isOutputUntold(sources({ ModelRatio: { [model]: 1 } }), model)).toBe(false);
  });

  it('has the cache and the long prompts of the same model, but no tiers and hours of another seller', () => {
    expect(dollars('openai/gpt-5.4')).toMatchObject({ cached: 0.2 });
    const { dimensions } = priced('openai/gpt-5.4')?.factors ?? {};
    expect(dimensions?.context?.steps).toHaveLength(1);
    expect(priced('deepseek/deepseek-chat')?.factors.dimensions).toBeUndefined();
    expect(Object.keys(dimensions ?? {})).toEqual(['context']);
  });

  it("the operator's prices win over the catalogue", () => {
    const set = { CompletionRatio: { 'openai/gpt-5.4': 3 }, CacheRatio: { 'openai/gpt-5.4': 0.5 } };
    expect(dollars('openai/gpt-5.4', set)).toMatchObject({ cached: 1, completion: 6 });
  });

  // A model of the same family may cost anything: its output is not guessed, and the operator is told.
  it.each(['gpt-99', 'claude-next-9', 'gemini-99-pro', 'o9-mini'])('guesses nothing for %s', (model) => {
    expect(dollars(model)).toMatchObject({ prompt: 2, completion: 2 });
    expect(isOutputUntold(sources({ ModelRatio: { [model]: 1 } }), model)).toBe(true);
  });

  it('is said to have no price of output where the model is not listed', () => {
    expect(dollars('our-own-model')).toMatchObject({ prompt: 2, completion: 2 });
    const untold = (options: Partial<OptionValues>) => isOutputUntold(sources(options), 'our-own-model');
    const ModelRatio = { 'our-own-model': 1 };
    expect(untold({ ModelRatio })).toBe(true);
    expect(untold({ ModelRatio, CompletionRatio: { 'our-own-model': 1 } })).toBe(false);
    expect(untold({ ModelRatio, ModelPrice: { 'our-own-model': 0.1 } })).toBe(false);
    expect(untold({})).toBe(false);
  });

  it('stays unset if not even the input is: the same model gives proportions, never a price', () => {
    for (const model of ['openai/gpt-5.4', 'gpt-99', 'constructor', '__proto__', 'a/', ':', 'ft:'])
      expect(findPrice(sources({}), model, '', ''), model).toBeUndefined();
  });
});

test('a completion ratio set for words does not sell pictures below their list price', () => {
  const factorsOf = (CompletionRatio: Readonly<Record<string, number>>) => {
    const options = { ...initialOptions, CompletionRatio };
    return findPrice({ catalogue, options }, 'gemini-2.5-flash-image', '', '')?.factors;
  };
  expect(factorsOf({ 'gemini-2.5-flash-image': 8 })).toMatchObject({
    completionRatio: 8,
    imageCompletionRatio: 100,
  });
  expect(factorsOf({ 'gemini-2.5-flash-image': 120 })).toMatchObject({ imageCompletionRatio: 120 });
});

test.each([
  ['gpt-6.1-sol', { priority: 4, ultrafast: 12, flex: 1 }],
  ['gpt-6.1-terra-2026-11-20', { priority: 4, ultrafast: 12, flex: 1 }],
  ['claude-haiku-5-5', { batch: 1 }],
  // What their makers charge for tiers is not known.
  ['gemini-4-argon', { flex: 2 }],
  ['grok-4.7', { priority: 2 }],
  ['openai/gpt-6.1-sol', { priority: 2 }],
  ['gpt-6.1-image', { priority: 2 }],
])(
  '%s, of which only a ratio is set, costs in the tiers of its family what they cost there',
  (model, costs) => {
    const options = { ...initialOptions, ModelRatio: { [model]: 2 } };
    expect(catalogue.find(model)).toBeUndefined();
    const price = priceOf({ options, catalogue }, model, 'default', 'default');
    const charged = Object.keys(costs).map((tier) => [
      tier,
      quotaAt(priceAt(price, Date.UTC(2026, 10, 29)), { ...noUsage, inputTokens: 1 }, { served: { tier } }),
    ]);
    expect(Object.fromEntries(charged)).toEqual(costs);
  },
);
