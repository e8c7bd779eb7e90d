import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EvidenceSum, MORE_THAN_PROMPT, quantile, TOLD, ratioBucket, timeBucket } from './evidence.ts';
import { doubtful, evidenceReport, type EvidenceRule } from './evidence-report.ts';
import { isSameModel, servesNamed } from './same-model.ts';

const rule: EvidenceRule = { leastCalls: 50, otherModelShare: 0.2, tokenExcess: 1.5 };

const sum = (measure: string, detail: string | number, calls: number, amount = 0): EvidenceSum => ({
  model: 'gpt-4o',
  measure,
  detail: String(detail),
  calls,
  amount,
});

describe('the model a reply names', () => {
  test.each([
    ['gpt-4o', 'gpt-4o-2024-08-06'],
    ['gpt-4o', 'openai/gpt-4o'],
    ['gpt-4o', 'GPT-4o'],
    ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet-20241022'],
    ['claude-sonnet-4-5', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5@20250929'],
    ['gemini-2.5-pro', 'models/gemini-2.5-pro'],
    ['gemini-1.5-pro', 'gemini-1.5-pro-002'],
    ['deepseek-chat', 'deepseek/deepseek-chat:free'],
    ['gpt-4', 'gpt-4-0613'],
    ['gpt-5', 'gpt-5-2025-08-07'],
    ['o1', 'o1-2024-12-17'],
    ['gpt-5-mini', 'gpt-5-mini-2025-08-07'],
    ['gpt-3.5-turbo', 'gpt-35-turbo'],
    ['claude-sonnet-4-0', 'claude-sonnet-4-20250514'],
    ['databricks-claude-3-7-sonnet', 'us.anthropic.claude-3-7-sonnet-20250219-v1:0'],
    ['gpt-oss-120b', 'openai.gpt-oss-120b-1:0'],
    ['gemini-flash-latest', 'gemini-2.5-flash-preview-09-2025'],
    ['command-r', 'command-r-08-2024'],
    ['moonshotai/Kimi-K2-Instruct-0905:groq', 'moonshotai/kimi-k2-instruct-0905'],
    ['glm-4.6', 'z-ai/glm-4.6:exacto'],
    ['doubao-1-5-pro-32k', 'doubao-1-5-pro-32k-250115'],
    ['Qwen3-1.7B-Q4_K_M', '/models/Qwen3-1.7B-Q4_K_M.gguf'],
    ['deepseek-chat', 'deepseek-v4-flash'],
    ['gpt-3.5-turbo-instruct', 'gpt-3.5-turbo-instruct:20230824-v2'],
    ['grok-3-mini', 'grok-3-mini-high'],
    ['grok-3-mini-fast-latest', 'grok-3-mini'],
    ['grok-3-fast', 'grok-3'],
    ['gpt-5-high', 'gpt-5-2025-08-07'],
    ['openrouter/auto', 'anthropic/claude-sonnet-4.5'],
    ['model-router', 'gpt-5-nano-2025-08-07'],
  ])('is the same: %s and %s', (asked, named) => expect(isSameModel(asked, named)).toBe(true));

  test.each([
    ['gpt-4o', 'gpt-4o-mini'],
    ['gpt-4o', 'gpt-4o-mini-2024-07-18'],
    ['claude-opus-4-5', 'claude-sonnet-4-5'],
    ['claude-opus-4-1', 'claude-opus-4'],
    ['gpt-5', 'gpt-5-nano'],
    ['gemini-2.5-pro', 'gemini-2.5-flash'],
    ['gpt-5.1', 'gpt-5'],
    ['gpt-5', 'gpt-4-2025-08-07'],
    ['gpt-5', 'gpt-5-mini-2025-08-07'],
    ['gpt-12', 'gpt-11-2026-01-01'],
    ['deepseek-v4', 'deepseek-v3'],
    ['deepseek-v3.2', 'deepseek-v3.1'],
    ['gemini-flash-latest', 'gemini-2.5-flash-lite'],
    ['gemini-pro-latest', 'gemini-2.5-flash'],
    ['llama3.2:3b', 'llama3.2:1b'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-0'],
    ['mistral-large-latest', 'mistral-small-2409'],
    ['constructor', 'gpt-5'],
    ['o4-mini-high', 'o4-mini-low'],
    ['grok-4-fast', 'grok-4'],
    ['mistral-medium', 'mistral'],
    ['autocoder', 'gpt-5'],
  ])('is another: %s and %s', (asked, named) => expect(isSameModel(asked, named)).toBe(false));
});

test('where an upstream chooses the model or serves another one, its counts and answers are not those of the named one', () => {
  expect(servesNamed('gpt-4o', ['gpt-4o-2024-08-06', undefined])).toBe(true);
  expect(servesNamed('gpt-4o', ['my-deployment', 'gpt-4o'])).toBe(true);
  expect(servesNamed('gpt-4o', ['claude-sonnet-4-5', 'claude-sonnet-4-5'])).toBe(false);
  expect(servesNamed('openrouter/auto', ['openrouter/auto', 'gpt-4o'])).toBe(false);
});

test.each(['-2025-0808', '-v1:0', ':0:0', '-00', ':a', '-latest'])(
  'a name with many endings like %s is read in bounded time',
  (ending) => {
    const name = `a${ending.repeat(Math.floor(118 / ending.length))}!`;
    // Read with one pattern, some of them would not be read before the test is given up.
    expect(isSameModel('gpt-4o', name)).toBe(false);
  },
);

describe('a median', () => {
  test('is within a bucket of the true one, whatever the ratios are', () => {
    const ratios = fc.array(fc.double({ min: 0.3, max: 12, noNaN: true }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(ratios, (values) => {
        const sums = values.map((value) => ({ detail: String(ratioBucket(value, 1)), calls: 1 }));
        const sorted = values.toSorted((left, right) => left - right);
        const median = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
        const told = quantile(sums, 0.5) ?? 0;
        expect(told / median).toBeGreaterThan(2 ** -0.25);
        expect(told / median).toBeLessThan(2 ** 0.25);
      }),
    );
  });

  test('has a bucket for every number there is', () => {
    for (const value of [0, -1, 0.001, 1e12, Infinity]) {
      expect(Number.isInteger(timeBucket(value))).toBe(true);
      expect(Math.abs(ratioBucket(Math.max(value, 1e-9), 1))).toBeLessThanOrEqual(16);
    }
    expect(quantile([], 0.5)).toBeUndefined();
  });
});

describe('a report', () => {
  const peers = [sum('output', 0, 200), sum('prompt', 0, 200)];

  test('finds replies that name another model, if there are enough', () => {
    const named = [sum('named', '', 60), sum('named', 'gpt-4o-mini', 40), sum('named', 'gpt-3.5', 5)];
    const [found] = evidenceReport(named, [], rule);
    expect(found).toMatchObject({
      named: 105,
      namedOther: 45,
      otherNames: [
        { name: 'gpt-4o-mini', calls: 40 },
        { name: 'gpt-3.5', calls: 5 },
      ],
      findings: ['other_model'],
    });
    const few = [sum('named', '', 5), sum('named', 'gpt-4o-mini', 40)];
    expect(evidenceReport(few, [], rule)[0]?.findings).toEqual([]);
  });

  test('finds token counts that other channels do not report for the same text', () => {
    const own = [sum('output', ratioBucket(2, 1), 60, 6000), sum('prompt', 0, 60, -20)];
    expect(evidenceReport(own, peers, rule)[0]).toMatchObject({
      output: { calls: 60, tokensOver: 6000 },
      findings: ['more_tokens'],
    });
    // A text may have more tokens than ours counts: then all channels tell so.
    const alike = [sum('output', ratioBucket(2, 1), 200)];
    expect(evidenceReport(own, alike, rule)[0]?.findings).toEqual([]);
    expect(evidenceReport(own, [], rule)[0]?.findings).toEqual([]);
  });

  test('is not moved by a few odd replies', () => {
    const own = [sum('output', 0, 100), sum('output', 16, 40, 1_000_000)];
    expect(evidenceReport(own, peers, rule)[0]?.findings).toEqual([]);
  });

  test('finds thoughts that nobody asked for or saw, where no other channel of the model tells any', () => {
    const own = [sum('hidden', TOLD, 30, 9000), sum('hidden', '', 30)];
    const findings = (others: EvidenceSum[], of = own) => evidenceReport(of, others, rule)[0]?.findings;
    expect(findings([sum('hidden', '', 200), sum('hidden', TOLD, 4, 90)])).toEqual(['more_tokens']);
    // A model that thinks by itself does so everywhere; of few calls, and alone with a model, nothing is known.
    expect(findings([sum('hidden', '', 50), sum('hidden', TOLD, 50, 90)])).toEqual([]);
    expect(findings([sum('hidden', '', 40)])).toEqual([]);
    expect(findings([])).toEqual([]);
    expect(findings([sum('hidden', '', 200)], [sum('hidden', TOLD, 30), sum('hidden', '', 5)])).toEqual([]);
    expect(findings([sum('hidden', '', 200)], [sum('hidden', TOLD, 10), sum('hidden', '', 90)])).toEqual([]);
  });

  test('finds reads from a cache of more than the whole prompt', () => {
    const own = [sum('cache', '', 10, 5000), sum('cache', MORE_THAN_PROMPT, 2, 90_000)];
    expect(evidenceReport(own, [], rule)[0]).toMatchObject({
      cache: { calls: 12, tokens: 95_000, impossible: 2 },
      findings: ['impossible_cache'],
    });
  });

  test('of all channels names the doubtful ones, each against the others', () => {
    const of = (channelId: number, ...sums: EvidenceSum[]) => sums.map((one) => ({ ...one, channelId }));
    const all = [
      ...of(1, sum('output', 0, 100)),
      ...of(2, sum('output', 8, 100)),
      ...of(3, sum('named', 'gpt-4o-mini', 80), sum('named', '', 20)),
    ];
    expect([...doubtful(all, rule)]).toEqual([
      [2, { model: 'gpt-4o', finding: 'more_tokens' }],
      [3, { model: 'gpt-4o', finding: 'other_model' }],
    ]);
  });
});
