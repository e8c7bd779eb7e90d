import { describe, expect, test } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { priceAt, quotaAt } from '#core/quota/price-variants.ts';
import type { Service } from '#core/quota/served-terms.ts';
import { priceOf } from '#core/quota/price.ts';
import { readUsage } from '../../dialects/openai/usage/usage.ts';
import { loadPriceCatalogue } from './price-catalogue.ts';

/** Prices as makers themselves state them: in the answers of calls they took money for, and on the pages of their models. */

const catalogue = (await loadPriceCatalogue()).at(Date.UTC(2026, 10, 29));
const NOON = Date.UTC(2026, 10, 23, 12);
const UNIT_USD = 1 / 500_000;

const usd = (model: string, usage: Partial<Usage>, service: Service = {}): number => {
  const price = priceOf({ options: initialOptions, catalogue }, model, 'default', 'default');
  return (quotaAt(priceAt(price, NOON), { ...noUsage, ...usage }, service) ?? NaN) * UNIT_USD;
};

/** Usage as answers state it: prompt, of it cached, answer, of it (or of xAI and Google beside it) thoughts. */
const told = (prompt: number, cached: number, answer: number, thoughts = 0, total = prompt + answer) => ({
  prompt_tokens: prompt,
  completion_tokens: answer,
  total_tokens: total,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: thoughts },
});

/** By model: the usage of an answer, and the dollars that the same answer says were taken for it. */
const taken: readonly (readonly [string, ReturnType<typeof told>, number])[] = [
  // xAI: `cost_in_usd_ticks`, ten billion of which are a dollar.
  ['grok-code-fast-1', told(506, 448, 12, 38, 556), 0.000_095_56],
  ['grok-code-fast-1', told(466, 192, 68, 266, 800), 0.000_559_64],
  ['grok-3-mini', told(331, 283, 11, 332, 674), 0.000_207_125],
  ['grok-4.3', told(573, 448, 125, 117), 0.000_558_35],
  ['grok-4.3', told(598, 192, 98, 76), 0.000_790_9],
  ['grok-4.3', told(631, 192, 223, 159), 0.001_144_65],
  // Perplexity: `cost`, without its fee for each request, by the hundred-thousandth of a dollar.
  ['sonar', told(25, 0, 259), 0.000_28],
  ['sonar-reasoning-pro', told(25, 0, 18), 0.000_19],
  // What makers took from a router that states it (`upstream_inference_cost`, `market_cost`).
  ['gpt-4o-mini', told(20, 0, 1), 0.000_003_6],
  ['gpt-4o', told(49, 0, 11), 0.000_232_5],
  ['gemini-2.5-flash', told(808, 0, 4), 0.000_252_4],
  ['gemini-2.5-flash', told(519, 0, 68), 0.000_325_7],
  ['gemini-2.5-flash-lite', told(41, 0, 243, 72), 0.000_101_3],
  ['gemini-3-flash-preview', told(21, 0, 6), 0.000_028_5],
  ['gemini-3-pro-preview', told(40, 0, 14, 43), 0.000_764],
  ['gemini-3-pro-preview', told(40, 0, 14, 112), 0.001_592],
  ['claude-haiku-4-5', told(626, 0, 106, 54), 0.001_156],
  ['claude-haiku-4-5', told(751, 0, 100, 73), 0.001_251],
  ['claude-sonnet-4', told(424, 0, 110), 0.002_922],
  ['claude-opus-5', told(14, 0, 164, 46), 0.004_17],
];

test.each(taken)('%s costs, to the unit, what its maker took for a call', (model, usage, dollars) => {
  const off = model.startsWith('sonar') ? 0.000_005 : UNIT_USD / 2;
  expect(Math.abs(usd(model, readUsage(usage) ?? {}) - dollars)).toBeLessThanOrEqual(off + 1e-12);
});

test.each([
  [told(4070, 3519, 617, 484), { xai_x_search: 1 }, 0.005_594_65],
  [told(3253, 1499, 641, 548), { xai_web_search: 1 }, 0.005_746_25],
])('what xAI took for a call with a search is what it costs, to the unit', (usage, toolCalls, dollars) => {
  const ours = usd('grok-4-fast-reasoning', { ...readUsage(usage), toolCalls });
  expect(Math.abs(ours - dollars)).toBeLessThanOrEqual(UNIT_USD / 2 + 1e-12);
});

type Published = Partial<Record<keyof Usage & `${string}Tokens`, number>>;

/** Shorter than any context step. */
const SHORT = 100_000;

/** By page: dollars for a million tokens of each kind. Read in November 2026. */
const published: readonly (readonly [string, string, Published])[] = [
  [
    'platform.claude.com/docs/models/opus-5/overview',
    'claude-opus-5',
    {
      inputTokens: 5,
      outputTokens: 25,
      cacheReadTokens: 0.5,
      cacheWrite5mTokens: 6.25,
      cacheWrite1hTokens: 10,
    },
  ],
  [
    'platform.claude.com/docs/models/opus-5-5/overview',
    'claude-opus-5-5',
    { inputTokens: 4, outputTokens: 20 },
  ],
  [
    'platform.claude.com/docs/models/opus-5/overview',
    'claude-sonnet-5',
    { inputTokens: 2, outputTokens: 10 },
  ],
  [
    'platform.claude.com/docs/models/opus-5/overview',
    'claude-haiku-4-5',
    { inputTokens: 1, outputTokens: 5 },
  ],
  [
    'platform.claude.com/docs/models/opus-5/overview',
    'claude-fable-5-1',
    { inputTokens: 10, outputTokens: 50 },
  ],
  [
    'developers.openai.com/api/docs/models/compare',
    'gpt-6-astra',
    { inputTokens: 10, outputTokens: 50, cacheReadTokens: 1, cacheWrite5mTokens: 12.5 },
  ],
  [
    'developers.openai.com/api/docs/models/gpt-realtime-1.5.md',
    'gpt-realtime-1.5',
    {
      inputTokens: 4,
      cacheReadTokens: 0.4,
      outputTokens: 16,
      audioInputTokens: 32,
      audioCacheReadTokens: 0.4,
      audioOutputTokens: 64,
      imageInputTokens: 5,
    },
  ],
  [
    'developers.openai.com/api/docs/models/compare',
    'gpt-realtime',
    { inputTokens: 4, cacheReadTokens: 0.4, outputTokens: 16 },
  ],
  [
    'developers.openai.com/api/docs/models/gpt-realtime-2.1-mini.md',
    'gpt-realtime-2.1-mini',
    {
      inputTokens: 0.6,
      cacheReadTokens: 0.06,
      outputTokens: 2.4,
      audioInputTokens: 10,
      audioCacheReadTokens: 0.3,
      audioOutputTokens: 20,
      imageInputTokens: 0.8,
    },
  ],
  [
    'developers.openai.com/api/docs/models/gpt-image-1-mini',
    'gpt-image-1-mini',
    { inputTokens: 2, cacheReadTokens: 0.2, imageInputTokens: 2.5, imageOutputTokens: 8 },
  ],
];

describe('the page of a maker', () => {
  test.each(published)('%s: %s costs what it says', (_, model, prices) => {
    const ours = Object.keys(prices).map((kind) => {
      // Cached sound is a part of what is cached.
      const cached = kind === 'audioCacheReadTokens' && { cacheReadTokens: SHORT };
      const dollars = usd(model, { [kind]: SHORT, ...cached }) * (1_000_000 / SHORT);
      return [kind, Number(dollars.toFixed(6))];
    });
    expect(Object.fromEntries(ours)).toEqual(prices);
  });

  test('platform.claude.com/docs/models/opus-5/overview: a batch costs half, in and out', () => {
    const batch = { served: { tier: 'batch' } };
    expect(usd('claude-opus-5', { inputTokens: SHORT }, batch)).toBeCloseTo(0.25, 6);
    expect(usd('claude-opus-5', { outputTokens: SHORT }, batch)).toBeCloseTo(1.25, 6);
  });

  test.each([
    ['developers.openai.com/api/docs/models/gpt-5.4', 'gpt-5.4', 272_000, [2.5, 0.25, 15], [5, 0.5, 22.5]],
    [
      'developers.openai.com/api/docs/models/gpt-5.6-terra',
      'gpt-5.6-terra',
      272_000,
      [2, 0.2, 12],
      [4, 0.4, 18],
    ],
    ['developers.openai.com/api/docs/models/gpt-6-astra', 'gpt-6-astra', 272_000, [10, 1, 50], [20, 2, 75]],
    ['docs.x.ai/developers/models/grok-4.20-0309.md', 'grok-4.20', 199_999, [1.25, 0.2, 2.5], [2.5, 0.4, 5]],
  ] as const)('%s: %s has one price up to %i tokens of prompt, and another beyond', (...row) => {
    const [, model, last, short, long] = row;
    for (const [prompt, [input, cached, output]] of [
      [last, short],
      [last + 1, long],
    ] as const) {
      const usage = { inputTokens: prompt - 1000, cacheReadTokens: 1000, outputTokens: 1000 };
      const dollars = ((prompt - 1000) * input + 1000 * cached + 1000 * output) / 1_000_000;
      expect(usd(model, usage)).toBeCloseTo(dollars, 5);
    }
  });

  /** Input, cached input and output. */
  test.each([
    ['gpt-5.4', 5, 0.5, 30],
    ['gpt-5.4-mini', 1.5, 0.15, 9],
    ['gpt-5.2', 3.5, 0.35, 28],
    ['gpt-5.1', 2.5, 0.25, 20],
    ['gpt-5', 2.5, 0.25, 20],
    ['gpt-5-mini', 0.45, 0.045, 3.6],
    ['gpt-5.1-codex', 2.5, 0.25, 20],
    ['gpt-5-codex', 2.5, 0.25, 20],
    ['gpt-4.1', 3.5, 0.875, 14],
    ['gpt-4.1-mini', 0.7, 0.175, 2.8],
    ['gpt-4.1-nano', 0.2, 0.05, 0.8],
    ['gpt-4o', 4.25, 2.125, 17],
    ['gpt-4o-2024-08-06', 4.25, 2.125, 17],
    ['gpt-4o-2024-11-20', 4.25, 2.125, 17],
    ['gpt-4o-mini', 0.25, 0.125, 1],
  ])('openai.com/api-priority-processing: %s served with priority costs what it says', (model, ...prices) => {
    const served = { served: { tier: 'priority' } };
    const ours = (['inputTokens', 'cacheReadTokens', 'outputTokens'] as const).map((kind) =>
      Number((usd(model, { [kind]: SHORT }, served) * (1_000_000 / SHORT)).toFixed(6)),
    );
    expect(ours).toEqual(prices);
  });

  /** Input and output, up to 272,000 tokens of prompt and beyond. */
  test.each([
    ['openai.com/api-fast-mode', 'gpt-5.6-sol', 'fast', [8, 40], [16, 60]],
    ['openai.com/api-fast-mode', 'gpt-5.6-terra', 'priority', [4, 24], [8, 36]],
    ['openai.com/api-fast-mode', 'gpt-5.6-luna', 'fast', [0.4, 2.4], [0.8, 3.6]],
    [
      'developers.openai.com/api/docs/guides/ultrafast-mode',
      'gpt-6-astra',
      'ultrafast',
      [60, 300],
      [120, 450],
    ],
  ] as const)('%s: %s served with %s costs what it says, also for long prompts', (...row) => {
    const [, model, tier, ...both] = row;
    for (const [at, [input, output]] of both.entries()) {
      const usage = { inputTokens: at === 0 ? 200_000 : 300_000, outputTokens: 100_000 };
      const dollars = (usage.inputTokens * input + usage.outputTokens * output) / 1_000_000;
      // Whether the upstream says so or its answer broke off before it could.
      expect(usd(model, usage, { served: { tier } })).toBeCloseTo(dollars, 5);
      expect(usd(model, usage, { sent: { tier } })).toBeCloseTo(dollars, 5);
    }
  });
});
