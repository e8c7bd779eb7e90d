import { describe, expect, it } from 'vitest';
import { readRatioConfig } from '#contract/api/wallet/pricing.ts';
import { numberOptions, readPriceList } from './price-list.ts';

const read = async (list: object, quotaPerUnit = 500_000) =>
  Object.fromEntries((await readPriceList(Buffer.from(JSON.stringify(list)), quotaPerUnit)).offered);
const chat = { mode: 'chat', input_cost_per_token: 2e-6, output_cost_per_token: 1e-5 };

it('a row that has further prices of long prompts or sound says that it is half of the price', async () => {
  const row = (model_name: string, more: object) => ({ model_name, quota_type: 0, model_ratio: 1, ...more });
  const data = [
    row('plain', {
      variants: [{ kind: 'tier', name: 'flex' }],
      prices: { default: { others: { written_hour: 6 } } },
    }),
    row('long', { variants: [{ kind: 'step', name: '200000' }] }),
    row('heard', { prices: { default: { others: { audio_input: 32 } } } }),
  ];
  expect(await read({ data })).toEqual({
    plain: { ModelRatio: 1 },
    long: { ModelRatio: 1, isPartial: true },
    heard: { ModelRatio: 1, isPartial: true },
  });
});

it('the tables that a site publishes have every price that another one reads', async () => {
  const published = Object.keys(readRatioConfig.data.shape).map((name) => [name, { m: 1 }]);
  expect(Object.keys((await read(Object.fromEntries(published)))['m'] ?? {}).toSorted()).toEqual(
    numberOptions.toSorted(),
  );
});

describe('the list of prices of LiteLLM', () => {
  it('takes the same dollars on a site where a dollar is more units', async () => {
    expect(await read({ 'gpt-new': chat }, 1_000_000)).toEqual({
      'gpt-new': { ModelRatio: 2, CompletionRatio: 5 },
    });
  });

  it('comes in ratios: of dollars for a million tokens, and to the input', async () => {
    const cached = {
      ...chat,
      cache_read_input_token_cost: 1e-7,
      cache_creation_input_token_cost: 2.5e-6,
      input_cost_per_token_batches: 1e-6,
    };
    const vectors = { mode: 'embedding', input_cost_per_token: 2e-8, output_cost_per_token: 0 };
    expect(await read({ 'gpt-new': cached, vectors, free: { ...chat, input_cost_per_token: 0 } })).toEqual({
      // 2, 10, 0.1 and 2.5 dollars for a million tokens.
      'gpt-new': { ModelRatio: 1, CompletionRatio: 5, CacheRatio: 0.05, CreateCacheRatio: 1.25 },
      vectors: { ModelRatio: 0.01 },
      free: { ModelRatio: 0 },
    });
  });

  it('lists the maker before its models, and hosts before the models they resell', async () => {
    const other = { ...chat, input_cost_per_token: 4e-6 };
    const list = { 'gemini/gemini-new': chat, 'gemini/both': other, both: chat, 'azure_ai/resold': chat };
    expect(Object.keys(await read({ ...list, 'deepinfra/google/gemini-far': chat })).toSorted()).toEqual([
      'azure_ai/resold',
      'both',
      'deepinfra/google/gemini-far',
      'gemini-new',
    ]);
    expect((await read(list))['both']).toMatchObject({ ModelRatio: 1 });
  });

  it.each([
    ['long prompts', { input_cost_per_token_above_272k_tokens: 4e-6 }],
    ['long answers', { output_cost_per_token_above_200k_tokens: 2e-5 }],
    ['sound', { input_cost_per_audio_token: 4e-6 }],
    ['pictures', { output_cost_per_image_token: 4e-5 }],
    ['thoughts', { output_cost_per_reasoning_token: 2e-5 }],
    ['an answer that it does not say', { output_cost_per_token: undefined }],
  ])('is part of the price only, where it has one of its own of %s', async (_, more) => {
    expect((await read({ m: { ...chat, ...more } }))['m']?.isPartial).toBe(true);
  });

  it.each([
    ['thoughts that cost what answers do', { output_cost_per_reasoning_token: 1e-5 }],
    ['other tiers', { input_cost_per_token_priority: 4e-6, output_cost_per_token_batches: 1 }],
    ['long prompts at the same price', { input_cost_per_token_above_200k_tokens: 2e-6 }],
  ])('is the whole price in spite of %s', async (_, more) => {
    expect((await read({ m: { ...chat, ...more } }))['m']).not.toHaveProperty('isPartial');
  });

  it('has neither models that are not paid by tokens nor prices that are not numbers', async () => {
    const list = {
      painter: { ...chat, mode: 'image_generation' },
      heard: { mode: 'audio_transcription', input_cost_per_second: 1e-4 },
      negative: { ...chat, input_cost_per_token: -1 },
      text: { ...chat, input_cost_per_token: '2e-6' },
      sample_spec: { mode: 'one of: chat, embedding', input_cost_per_token: 0 },
      nothing: null,
    };
    expect(await read(list)).toEqual({});
  });
});
