import { describe, expect, test } from 'vitest';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { readUsage as readMessagesUsage } from './anthropic-messages/usage.ts';
import { openaiEmbeddings } from './openai-embeddings/openai-embeddings.ts';
import { openaiModerations } from './openai-moderations/openai-moderations.ts';
import { findUsage, readUsage } from './openai/usage/usage.ts';
import { rerank } from './rerank/rerank.ts';

describe('usage that is told under two names, of which a gateway has filled in one with 0', () => {
  const ofChat = { prompt_tokens: 90, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 40 } };
  const ofResponses = { input_tokens: 90, output_tokens: 7, input_tokens_details: { cached_tokens: 40 } };
  const nothing = (usage: object): object =>
    Object.fromEntries(
      Object.entries(usage).map(([name, told]) => [
        name,
        typeof told === 'number' ? 0 : { cached_tokens: 0 },
      ]),
    );
  test.each([
    ['that of chats', { ...nothing(ofChat), ...ofResponses }],
    ['that of Responses', { ...ofChat, ...nothing(ofResponses) }],
  ])('%s: the other counts', (_, usage) => {
    expect(readUsage(usage)).toEqual({ ...noUsage, inputTokens: 50, cacheReadTokens: 40, outputTokens: 7 });
  });

  test('both differ, and none is 0: the first counts', () => {
    expect(readUsage({ ...ofResponses, ...ofChat, input_tokens: 5 })).toMatchObject({ inputTokens: 50 });
  });

  test('how long writes to a cache are kept', () => {
    const usage = {
      input_tokens: 5,
      cache_creation_input_tokens: 100,
      cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
      claude_cache_creation_1_h_tokens: 70,
      claude_cache_creation_5_m_tokens: 30,
    };
    const written = { cacheWrite1hTokens: 70, cacheWrite5mTokens: 30 };
    expect(readMessagesUsage(usage)).toEqual({ ...noUsage, inputTokens: 5, ...written });
  });
});

test('a total with thoughts beside the answer shows, too, that the prompt is whole (Grok at Azure)', () => {
  const usage = {
    prompt_tokens: 347,
    completion_tokens: 18,
    total_tokens: 565,
    prompt_tokens_details: { cached_tokens: 403 },
    completion_tokens_details: { reasoning_tokens: 200 },
  };
  const expected = { cacheReadTokens: 347, outputTokens: 218, reasoningTokens: 200 };
  expect(readUsage(usage)).toEqual({ ...noUsage, ...expected });
});

test('of several models in one answer, what each has read from a cache is told and costs as that', () => {
  const one = { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 8 } };
  const usage = findUsage({ choices: [], bot_usage: { model_usage: [one, one] } });
  expect(usage).toEqual({ ...noUsage, inputTokens: 4, cacheReadTokens: 16, outputTokens: 8 });
});

describe('a call that writes nothing', () => {
  const content = { data: [{}], results: [{}] };
  const wires = [openaiEmbeddings, openaiModerations, rerank] as const;
  test.each(wires.map((wire) => [wire.name, wire] as const))(
    'may tell all its tokens as one sum: %s',
    (_, wire) => {
      const told: readonly (readonly [object, Partial<Usage>])[] = [
        [{ total_tokens: 70 }, { inputTokens: 70 }],
        [{ prompt_tokens: 0, total_tokens: 70 }, { inputTokens: 70 }],
        [
          {
            prompt_tokens: 70,
            total_tokens: 70,
            prompt_tokens_details: { image_tokens: 50, cached_tokens: 9 },
          },
          { inputTokens: 11, cacheReadTokens: 9, imageInputTokens: 50 },
        ],
      ];
      for (const [usage, expected] of told)
        expect(wire.tapWhole({ ...content, usage }).usage).toEqual({ ...noUsage, ...expected });
    },
  );
});
