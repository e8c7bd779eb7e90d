import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completionTokens, countOf, isCount, noUsage, promptTokens, type Usage } from '#core/chat/usage.ts';
import { dearerCached } from '#core/testing/dearer-cached.ts';
import { findUsage, readUsage, writeUsage } from './usage.ts';

/** A sum, and each detail that is larger than the sum by itself. */
const withBeside = (sum: number, parts: Readonly<Record<string, unknown>>): number =>
  Object.values(parts)
    .filter((part) => typeof part === 'number' && Number.isInteger(part) && part < 1e9)
    .reduce<number>((all, part) => (Number(part) > sum ? all + Number(part) : all), sum);

describe('usage in disjoint buckets', () => {
  test.each<[string, Record<string, unknown>, Partial<Usage>]>([
    ['plain', { prompt_tokens: 10, completion_tokens: 4 }, { inputTokens: 10, outputTokens: 4 }],
    ['embeddings', { prompt_tokens: 10, total_tokens: 10 }, { inputTokens: 10 }],
    [
      'cached',
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 8 } },
      { inputTokens: 2, cacheReadTokens: 8, outputTokens: 1 },
    ],
    [
      'DeepSeek',
      { prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 6 },
      { inputTokens: 6, cacheReadTokens: 4, outputTokens: 1 },
    ],
    [
      'Moonshot',
      { prompt_tokens: 10, completion_tokens: 1, cached_tokens: 4 },
      { inputTokens: 6, cacheReadTokens: 4, outputTokens: 1 },
    ],
    [
      'Perplexity',
      {
        input_tokens: 20,
        output_tokens: 1,
        input_tokens_details: { cache_read_input_tokens: 9, cache_creation_input_tokens: 4 },
      },
      { inputTokens: 7, cacheReadTokens: 9, cacheWrite5mTokens: 4, writesUndated: true, outputTokens: 1 },
    ],
    [
      'written for half a day (OpenAI)',
      {
        input_tokens: 50,
        output_tokens: 1,
        input_tokens_details: {
          cached_tokens: 10,
          cache_write_tokens: 30,
          cache_write_tokens_details: { ttl_12h_tokens: 20, ttl_30m_tokens: 10 },
        },
      },
      {
        inputTokens: 10,
        cacheReadTokens: 10,
        cacheWrite5mTokens: 10,
        cacheWrite1hTokens: 20,
        outputTokens: 1,
      },
    ],
    [
      'more cached than the prompt has, the total says that the prompt is whole (Grok at Azure)',
      {
        prompt_tokens: 347,
        completion_tokens: 18,
        total_tokens: 365,
        prompt_tokens_details: { cached_tokens: 403 },
      },
      { inputTokens: 0, cacheReadTokens: 347, outputTokens: 18 },
    ],
    [
      'more thoughts than the completion has (Vercel)',
      {
        prompt_tokens: 10,
        completion_tokens: 14,
        total_tokens: 24,
        completion_tokens_details: { reasoning_tokens: 43 },
      },
      { inputTokens: 10, outputTokens: 57, reasoningTokens: 43 },
    ],
    [
      'sound both ways',
      {
        prompt_tokens: 30,
        completion_tokens: 20,
        prompt_tokens_details: { audio_tokens: 25 },
        completion_tokens_details: { audio_tokens: 15 },
      },
      { inputTokens: 5, audioInputTokens: 25, outputTokens: 5, audioOutputTokens: 15 },
    ],
    [
      'pictures',
      {
        prompt_tokens: 30,
        completion_tokens: 0,
        prompt_tokens_details: { image_tokens: 25, text_tokens: 5 },
      },
      { inputTokens: 5, imageInputTokens: 25 },
    ],
    [
      'pictures that were drawn',
      { input_tokens: 8, output_tokens: 300, output_tokens_details: { image_tokens: 272, text_tokens: 28 } },
      { inputTokens: 8, outputTokens: 28, imageOutputTokens: 272 },
    ],
    [
      'reasoning is a part of the output',
      { prompt_tokens: 1, completion_tokens: 20, completion_tokens_details: { reasoning_tokens: 15 } },
      { inputTokens: 1, outputTokens: 20, reasoningTokens: 15 },
    ],
    [
      'xAI: reasoning beside the output',
      {
        prompt_tokens: 331,
        completion_tokens: 11,
        total_tokens: 674,
        completion_tokens_details: { reasoning_tokens: 332 },
      },
      { inputTokens: 331, outputTokens: 343, reasoningTokens: 332 },
    ],
    [
      'Mistral: sound beside the input',
      {
        prompt_tokens: 11,
        completion_tokens: 15,
        total_tokens: 401,
        prompt_tokens_details: { audio_tokens: 375, cached_tokens: 9 },
      },
      { inputTokens: 2, cacheReadTokens: 9, audioInputTokens: 375, outputTokens: 15 },
    ],
    [
      'written to a cache',
      {
        prompt_tokens: 100,
        completion_tokens: 1,
        cache_creation_input_tokens: 60,
        cache_creation: { ephemeral_1h_input_tokens: 20 },
      },
      { inputTokens: 40, cacheWrite5mTokens: 40, cacheWrite1hTokens: 20, outputTokens: 1 },
    ],
    [
      'sound that the prompt does not count',
      { prompt_tokens: 0, completion_tokens: 4, prompt_tokens_details: { audio_tokens: 500 } },
      { audioInputTokens: 500, outputTokens: 4 },
    ],
    [
      'nothing but a sound and a picture',
      { prompt_tokens: 0, total_tokens: 0, prompt_tokens_details: { audio_tokens: 500, image_tokens: 30 } },
      { audioInputTokens: 500, imageInputTokens: 30 },
    ],
    [
      'more cached tokens than the prompt has: those counts exclude the cache',
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 50 } },
      { inputTokens: 10, cacheReadTokens: 50, outputTokens: 1 },
    ],
    [
      'more tokens written to a cache than the prompt has',
      { prompt_tokens: 10, completion_tokens: 1, cache_creation_input_tokens: 60 },
      { inputTokens: 10, cacheWrite5mTokens: 60, writesUndated: true, outputTokens: 1 },
    ],
    [
      'a picture that the answer does not count',
      { prompt_tokens: 5, completion_tokens: 2, completion_tokens_details: { image_tokens: 272 } },
      { inputTokens: 5, outputTokens: 2, imageOutputTokens: 272 },
    ],
    [
      'speech that the answer does not count',
      { prompt_tokens: 5, completion_tokens: 0, completion_tokens_details: { audio_tokens: 90 } },
      { inputTokens: 5, audioOutputTokens: 90 },
    ],
    [
      'more thoughts than the answer has',
      { prompt_tokens: 5, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 90 } },
      { inputTokens: 5, outputTokens: 92, reasoningTokens: 90 },
    ],
    [
      'cached sound is a part of both details, and is in the prompt once',
      {
        prompt_tokens: 10,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 8, audio_tokens: 6 },
      },
      { cacheReadTokens: 8, audioInputTokens: 2, outputTokens: 1 },
    ],
  ])('%s', (_, wire, expected) => {
    expect(readUsage(wire)).toEqual({ ...noUsage, ...expected });
  });

  test.each([
    ['negative', { prompt_tokens: -1, completion_tokens: 5 }],
    ['huge', { prompt_tokens: 1e18, completion_tokens: 5 }],
    ['beyond any number', { prompt_tokens: Infinity, completion_tokens: 5 }],
    ['fractions', { prompt_tokens: 1.5, completion_tokens: 5 }],
    ['text', { prompt_tokens: '10', completion_tokens: '5' }],
    ['nothing', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    ['null', null],
    ['a list', [1]],
  ])('%s is not believed', (_, wire) => {
    expect(readUsage(wire)).toBeUndefined();
  });

  test('details are in their sum or beside it, no token is lost, and none falls below zero', () => {
    const wild = fc.oneof(fc.integer({ min: -100, max: 1000 }), fc.constantFrom(1e18, NaN, '7', null, 2.5));
    const kinds = fc.record({ text_tokens: wild, audio_tokens: wild, image_tokens: wild });
    const details = fc.record({
      cached_tokens: wild,
      cached_tokens_details: fc.option(kinds),
      audio_tokens: wild,
      image_tokens: wild,
      cache_write_tokens: wild,
      reasoning_tokens: wild,
    });
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), details, details, (prompt, completion, input, output) => {
        const usage = readUsage({
          prompt_tokens: prompt,
          completion_tokens: completion,
          prompt_tokens_details: input,
          completion_tokens_details: output,
        });
        fc.pre(usage !== undefined);
        const { reasoning_tokens: _thoughts, cached_tokens_details: byKind, ...inputParts } = input;
        const { cached_tokens: _read, cache_write_tokens: _written, ...outputParts } = output;
        const cachedSum =
          countOf(input.cached_tokens) ||
          Object.values(byKind ?? {}).reduce<number>((sum, one) => sum + countOf(one), 0);
        expect(promptTokens(usage)).toBe(withBeside(prompt, { ...inputParts, cached_tokens: cachedSum }));
        const heard = isCount(input.audio_tokens) ? input.audio_tokens : promptTokens(usage);
        expect(usage.audioCacheReadTokens).toBeLessThanOrEqual(
          Math.min(heard, countOf(byKind?.audio_tokens)),
        );
        expect(usage.cacheReadTokens).toBeGreaterThanOrEqual(
          usage.audioCacheReadTokens + usage.imageCacheReadTokens,
        );
        expect(completionTokens(usage)).toBe(withBeside(completion, outputParts));
        const { estimated: _, toolCalls: __, writesUndated: ___, ...counts } = usage;
        expect(Object.values(counts).every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
        expect(usage.reasoningTokens).toBeLessThanOrEqual(usage.outputTokens);
      }),
    );
  });

  test("of Volcengine's bots is that of all their models (www.volcengine.com/docs/82379, bots)", () => {
    const models = [
      { name: 'a', prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
      { name: 'b', prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
    ];
    expect(findUsage({ choices: [], bot_usage: { model_usage: models, action_usage: [] } })).toMatchObject({
      inputTokens: 15,
      outputTokens: 5,
    });
  });

  test('what is written reads back as the same usage', () => {
    const count = fc.nat(1_000_000);
    const usage: fc.Arbitrary<Usage> = fc
      .record({
        inputTokens: count,
        cacheReadTokens: count,
        audioCacheReadTokens: count,
        imageCacheReadTokens: count,
        cacheWrite5mTokens: count,
        cacheWrite1hTokens: count,
        imageInputTokens: count,
        audioInputTokens: count,
        outputTokens: count,
        audioOutputTokens: count,
        imageOutputTokens: count,
        reasoningTokens: count,
        estimated: fc.constant(false),
      })
      .map((all) => ({
        ...all,
        reasoningTokens: Math.min(all.reasoningTokens, all.outputTokens),
        ...dearerCached(all),
      }))
      .filter((all) => promptTokens(all) + completionTokens(all) > 0);
    fc.assert(
      fc.property(usage, (written) => {
        expect(readUsage(writeUsage(written))).toEqual(written);
      }),
    );
  });
});
