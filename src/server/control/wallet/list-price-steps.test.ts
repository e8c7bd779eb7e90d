import { findProvider } from '@pydantic/genai-prices';
import { expect, test } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { priceAt, quotaAt } from '#core/quota/price-variants.ts';
import type { Service } from '#core/quota/served-terms.ts';
import { priceOf } from '#core/quota/price.ts';
import { loadPriceCatalogue } from './price-catalogue.ts';

const catalogue = (await loadPriceCatalogue()).at(Date.UTC(2026, 10, 29));
const NOON = Date.UTC(2026, 10, 23, 12);

/** What a call costs in US dollars, in which makers publish prices; a unit is two millionths of a dollar. */
const usd = (model: string, usage: Partial<Usage>, service: Service = {}, atMs = NOON): number => {
  const price = priceOf({ options: initialOptions, catalogue }, model, 'default', 'default');
  return (quotaAt(priceAt(price, atMs), { ...noUsage, ...usage }, service) ?? NaN) / 500_000;
};

/**
 * Dollars for a million tokens in and out, up to a number of tokens of prompt, and beyond it: entered here by us, so that a
 * change of the bundled list is noticed. What makers themselves state is in makers-prices.test.ts.
 */
const steps: readonly (readonly [string, number, number, number, number, number])[] = [
  ['gpt-5.4', 272_000, 2.5, 15, 5, 22.5],
  ['gpt-5.4-pro', 272_000, 30, 180, 60, 270],
  ['gpt-5.5', 272_000, 5, 30, 10, 45],
  ['gpt-5.5-pro', 272_000, 30, 180, 60, 270],
  ['gpt-5.6-luna', 272_000, 0.2, 1.2, 0.4, 1.8],
  ['gpt-5.6-sol', 272_000, 4, 20, 8, 30],
  ['gpt-5.6-terra', 272_000, 2, 12, 4, 18],
  ['gpt-6-astra', 272_000, 10, 50, 20, 75],
  ['gpt-6-luna', 272_000, 0.1, 0.5, 0.2, 0.75],
  ['gpt-6-sol', 272_000, 2, 10, 4, 15],
  ['gemini-1.5-flash', 128_000, 0.075, 0.3, 0.15, 0.6],
  ['gemini-flash-1.5', 128_000, 0.075, 0.3, 0.15, 0.6],
  ['gemini-flash-1.5-8b', 128_000, 0.0375, 0.15, 0.075, 0.3],
  ['gemini-1.5-pro', 128_000, 1.25, 5, 2.5, 10],
  ['gemini-pro-1.5', 128_000, 1.25, 5, 2.5, 10],
  ['gemini-2.5-pro', 200_000, 1.25, 10, 2.5, 15],
  ['gemini-3-pro-preview', 200_000, 2, 12, 4, 18],
  ['gemini-3.1-pro-preview', 200_000, 2, 12, 4, 18],
  ['claude-sonnet-4-5', 200_000, 3, 15, 6, 22.5],
  ['grok-4.20', 199_999, 1.25, 2.5, 2.5, 5],
  ['grok-4.3', 199_999, 1.25, 2.5, 2.5, 5],
  ['grok-4.5', 199_999, 2, 6, 4, 12],
  ['grok-4.6', 199_999, 2, 6, 4, 12],
  ['grok-build-0.1', 199_999, 1, 2, 2, 4],
  ['minimax-m3', 512_000, 0.3, 1.2, 0.6, 2.4],
];

test.each(steps)('%s has its short price up to %i tokens of prompt, and a higher one beyond', (...row) => {
  const [model, last, input, output, dearInput, dearOutput] = row;
  const usage = { inputTokens: last, outputTokens: 1000 };
  expect(usd(model, usage)).toBeCloseTo((last * input + 1000 * output) / 1_000_000, 5);
  const longer = { ...usage, inputTokens: last + 1 };
  expect(usd(model, longer)).toBeCloseTo(((last + 1) * dearInput + 1000 * dearOutput) / 1_000_000, 5);
});

test('every step of the bundled list has its row here', () => {
  const found = ['openai', 'google', 'anthropic', 'x-ai', 'minimax', 'deepseek', 'mistral', 'cohere']
    .flatMap((providerId) => findProvider({ providerId })?.models ?? [])
    .filter(({ id }) => catalogue.find(id)?.dimensions?.context !== undefined)
    .map(({ id }) => id);
  expect(found.length).toBeGreaterThan(20);
  expect([...new Set(found)].toSorted()).toEqual(steps.map(([model]) => model).toSorted());
});

test('cached tokens count towards the step, and cost twice as much beyond it', () => {
  const usage = { inputTokens: 1000, cacheReadTokens: 374_004 };
  expect(usd('gpt-5.4', usage)).toBeCloseTo((1000 * 5 + 374_004 * 0.5) / 1_000_000, 5);
});

/** Dollars for a million tokens in and a million out, of short calls. */
test.each<[string, Service, number, number]>([
  ['gpt-5.4', { served: { tier: 'priority' } }, 5, 30],
  ['gpt-5.4', { served: { tier: 'flex' } }, 1.25, 7.5],
  ['gpt-5.2', { served: { tier: 'priority' } }, 3.5, 28],
  ['gpt-5-mini', { served: { tier: 'priority' } }, 0.45, 3.6],
  ['gpt-5.5', { served: { tier: 'priority' } }, 12.5, 75],
  ['gpt-4.1', { served: { tier: 'priority' } }, 3.5, 14],
  ['gpt-4o', { served: { tier: 'priority' } }, 4.25, 17],
  ['gpt-4o-mini', { served: { tier: 'priority' } }, 0.25, 1],
  ['o3', { served: { tier: 'priority' } }, 3.5, 14],
  ['o4-mini', { served: { tier: 'priority' } }, 2, 8],
  ['claude-opus-4-6', { served: { speed: 'fast' } }, 30, 150],
  ['claude-opus-4-8', { served: { speed: 'fast' } }, 10, 50],
  ['claude-opus-4-6', { served: { place: 'us' } }, 5.5, 27.5],
  ['claude-sonnet-4-5', { served: { place: 'us' } }, 3, 15],
  ['gemini-2.5-pro', { served: { tier: 'flex' } }, 0.625, 5],
])('%s served with %j costs the dollars entered here', (model, service, input, output) => {
  expect(usd(model, { inputTokens: 100_000 }, service)).toBeCloseTo(input / 10, 4);
  expect(usd(model, { outputTokens: 100_000 }, service)).toBeCloseTo(output / 10, 4);
});

test('before GPT-5.6, OpenAI serves long prompts at the standard tier: priority and length never multiply', () => {
  const service = { sent: { tier: 'priority' } };
  expect(usd('gpt-5.4', { inputTokens: 300_000 }, service)).toBeCloseTo(1.5, 5);
});

test.each([
  ['gemini-2.5-pro', 'flex', 0.125],
  ['gemini-3-flash-preview', 'flex', 0.05],
  ['gemini-3.1-pro-preview', 'batch', 0.2],
  ['gemini-3.8-flash', 'flex', 0.0375],
])('%s reads its cache in the tier %s at the price entered here', (model, tier, dollars) => {
  expect(usd(model, { cacheReadTokens: 100_000 }, { served: { tier } })).toBeCloseTo(dollars / 10, 6);
});

test('DeepSeek is dearer in its peak hours, whenever the server was started', () => {
  const usage = { inputTokens: 100_000, outputTokens: 100_000 };
  expect(usd('deepseek-v4-pro', usage, {}, Date.UTC(2026, 10, 23, 0, 59))).toBeCloseTo(0.264, 5);
  expect(usd('deepseek-v4-pro', usage, {}, Date.UTC(2026, 10, 23, 1))).toBeCloseTo(0.528, 5);
  expect(usd('deepseek-v4-pro', usage, {}, Date.UTC(2026, 10, 23, 4))).toBeCloseTo(0.264, 5);
});

// api-docs.deepseek.com/quick_start/pricing: peak hours are those of Monday to Friday.
test('DeepSeek has no peak hours at weekends', () => {
  const usage = { inputTokens: 100_000, outputTokens: 100_000 };
  for (const hour of [1, 3, 6, 9]) {
    const on = (day: number) => usd('deepseek-v4-pro', usage, {}, Date.UTC(2026, 10, day, hour));
    expect([27, 28, 29, 30].map(on).map((dollars) => Number(dollars.toFixed(5)))).toEqual([
      0.528, 0.264, 0.264, 0.528,
    ]);
  }
});
