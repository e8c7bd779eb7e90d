import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import { openaiCompletions } from '../openai-completions/openai-completions.ts';
import { openaiEmbeddings } from '../openai-embeddings/openai-embeddings.ts';
import { askForUsage } from '../openai/usage/ask-for-usage.ts';
import { chatFacts } from './facts.ts';
import { expectInProportion } from '#core/testing/thread-time.ts';

const messages = [{ role: 'user', content: 'Hello' }];
const refusal = (run: () => unknown): AppError => {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
  throw new Error('it was accepted');
};

/** The facts, or undefined if the request was refused properly; any other exception fails the test. */
const factsOf = (body: Record<string, unknown>) => {
  try {
    return chatFacts(body);
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined;
    throw thrown;
  }
};

describe('what is known of a chat request', () => {
  test('the fields that routing and the hold need', () => {
    expect(chatFacts({ model: 'm', messages })).toMatchObject({
      model: 'm',
      stream: false,
      maxOutputTokens: undefined,
      choices: 1,
      wantsStreamUsage: false,
    });
    const body = {
      model: 'm',
      messages,
      stream: true,
      stream_options: { include_usage: true },
      n: 3,
      max_tokens: 7,
      max_completion_tokens: 9,
    };
    expect(chatFacts(body)).toMatchObject({
      stream: true,
      wantsStreamUsage: true,
      choices: 3,
      maxOutputTokens: 9,
    });
  });

  test('null counts as not given, and 0 tokens as no limit', () => {
    const body = {
      model: 'm',
      messages,
      n: null,
      max_tokens: 0,
      stream: null,
      stream_options: null,
      temperature: null,
    };
    expect(chatFacts(body)).toMatchObject({ choices: 1, maxOutputTokens: undefined, stream: false });
  });

  test.each<[string, unknown]>([
    ['n', 0],
    ['n', -1],
    ['n', 129],
    ['n', 1.5],
    ['n', '3'],
    ['n', Infinity],
    ['n', true],
    ['n', [1]],
    ['max_tokens', -1],
    ['max_tokens', 10_000_001],
    ['max_tokens', Infinity],
    ['max_tokens', '9'],
    ['max_tokens', 0.5],
    ['max_tokens', {}],
    ['max_completion_tokens', -5],
    ['max_completion_tokens', 9e15],
    ['top_logprobs', -1],
    ['temperature', Infinity],
    ['temperature', 'hot'],
    ['seed', 1.5],
    ['stream', 'true'],
    ['stream', 1],
    ['model', ''],
    ['model', 'm'.repeat(256)],
    ['model', 7],
    ['model', undefined],
    ['messages', []],
    ['messages', 'hi'],
    ['messages', undefined],
    ['messages', {}],
  ])('%s = %j is refused by name', (field, value) => {
    const error = refusal(() => chatFacts({ model: 'm', messages, [field]: value }));
    expect(error.code).toBe('invalid_request');
    expect(error.param).toBe(field);
    expect(error.message).toContain(`'${field}'`);
  });

  test('nothing a client can send makes a number that is not whole and bounded', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), fc.anything(), (n, max, most, stream) => {
        const facts = factsOf({
          model: 'm',
          messages,
          n,
          max_tokens: max,
          max_completion_tokens: most,
          stream,
        });
        const limit = facts?.maxOutputTokens ?? 1;
        const choices = facts?.choices ?? 1;
        expect(Number.isInteger(choices) && choices >= 1 && choices <= 128).toBe(true);
        expect(Number.isInteger(limit) && limit >= 1 && limit <= 10_000_000).toBe(true);
      }),
    );
  });
});

describe('the estimate of a prompt', () => {
  const estimate = (content: unknown, beside = {}) =>
    chatFacts({ model: 'm', messages: [{ role: 'user', content }], ...beside }).inputTokensEstimate;

  test('is above what prose and Chinese really take, and not absurdly', () => {
    const prose = 'The quick brown fox jumps over the lazy dog. '.repeat(100);
    expect(estimate(prose)).toBeGreaterThan(1000);
    expect(estimate(prose)).toBeLessThan(3000);
    const chinese = '人工智能正在改变世界'.repeat(100);
    expect(estimate(chinese)).toBeGreaterThan(1000);
    expect(estimate(chinese)).toBeLessThan(2000);
  });

  test('tools and formats count, and pictures and sound count by kind, not by their base64', () => {
    const tools = [
      { type: 'function', function: { name: 'f', description: 'd'.repeat(1000), parameters: {} } },
    ];
    expect(estimate('x', { tools })).toBeGreaterThan(estimate('x') + 500);
    const data = 'A'.repeat(1_000_000);
    const picture = estimate([{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }]);
    expect(picture).toBeGreaterThan(1500);
    expect(picture).toBeLessThan(5000);
    const low = [{ type: 'image_url', image_url: { url: data, detail: 'low' } }];
    expect(estimate(low, { model: 'gpt-4o' })).toBeLessThan(200);
    expect(estimate(low)).toBe(picture);
    expect(estimate([{ type: 'input_audio', input_audio: { data, format: 'mp3' } }])).toBeGreaterThan(1900);
    expect(estimate([{ type: 'file', file: { file_data: data } }])).toBeGreaterThan(10_000);
  });

  test('text counts as text, whatever type its part or message claims', () => {
    const text = 'a'.repeat(100_000);
    for (const type of ['image_url', 'image', 'input_audio', 'file', 'document', 'video'])
      expect(estimate([{ type, text, image_url: { url: 'data:' } }])).toBeGreaterThan(50_000);
    const facts = chatFacts({ model: 'm', messages: [{ role: 'user', type: 'image', content: text }] });
    expect(facts.inputTokensEstimate).toBeGreaterThan(50_000);
  });

  test('is bounded in depth and in time', () => {
    let deep: unknown = 'x';
    for (let index = 0; index < 10_000; index += 1) deep = [deep];
    expect(refusal(() => estimate(deep)).message).toContain('nests deeper');
    const wide = Array.from({ length: 2_100_000 }, () => 0);
    expect(refusal(() => estimate(wide)).message).toContain('too many values');
    expectInProportion(7_500_000, (length) => {
      const text = 'a'.repeat(length);
      return () => void estimate(text);
    });
  });
});

describe('asking for usage', () => {
  test('only streams are asked, once, and nothing else changes', () => {
    const whole = { model: 'm', messages };
    expect(askForUsage(whole)).toBe(whole);
    const asked = { model: 'm', stream: true, stream_options: { include_usage: true } };
    expect(askForUsage(asked)).toBe(asked);
    expect(askForUsage({ model: 'm', stream: true, stream_options: { include_obfuscation: false } })).toEqual(
      {
        model: 'm',
        stream: true,
        stream_options: { include_obfuscation: false, include_usage: true },
      },
    );
  });
});

describe('the other endpoints', () => {
  test('old completions: prompts, answers and the best of several multiply', () => {
    const facts = (body: Record<string, unknown>) => openaiCompletions.facts(body);
    expect(facts({ model: 'm', prompt: 'x' })).toMatchObject({ choices: 1, maxOutputTokens: undefined });
    expect(facts({ model: 'm', prompt: ['a', 'b'], n: 2, best_of: 5, max_tokens: 3 })).toMatchObject({
      choices: 4,
      paidAnswers: 10,
      maxOutputTokens: 3,
    });
    expect(facts({ model: 'm', prompt: [1, 2, 3] })).toMatchObject({ choices: 1 });
    expect(refusal(() => facts({ model: 'm', prompt: 'x', best_of: 500 })).param).toBe('best_of');
    expect(refusal(() => facts({ model: 'm', prompt: Array.from({ length: 3000 }, () => 'x') })).param).toBe(
      'prompt',
    );
    expect(refusal(() => facts({ model: 'm', prompt: { a: 1 } })).param).toBe('prompt');
  });

  test('embeddings: never streamed, nothing comes out', () => {
    const facts = (body: Record<string, unknown>) => openaiEmbeddings.facts(body);
    expect(facts({ model: 'm', input: ['abcd', 'ef'], stream: true })).toMatchObject({
      stream: false,
      maxOutputTokens: 0,
      choices: 1,
    });
    expect(facts({ model: 'm', input: [[1, 2, 3], [4]] }).inputTokensEstimate).toBe(20);
    for (const input of ['', [], undefined, 7])
      expect(refusal(() => facts({ model: 'm', input })).param).toBe('input');
    expect(refusal(() => facts({ model: 'm', input: 'x', dimensions: -1 })).param).toBe('dimensions');
  });
});
