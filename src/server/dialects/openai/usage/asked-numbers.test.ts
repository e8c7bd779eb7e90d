import { describe, expect, test } from 'vitest';
import { chatFacts } from '../../openai-chat/facts.ts';
import { openaiCompletions } from '../../openai-completions/openai-completions.ts';

/**
 * Words of vLLM (docs.vllm.ai: sampling parameters, extra parameters), SGLang (docs.sglang.ai: sampling_params), TGI
 * (huggingface.co/docs/text-generation-inference: parameters), Transformers (GenerationConfig) and gateways that unpack
 * `extra_body` as the OpenAI client does.
 */

const chat = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 10 };

describe('a chat', () => {
  test.each<[string, Record<string, unknown>, number]>([
    ['n', { n: 3 }, 3],
    ['the best of several', { best_of: 4 }, 4],
    ['more of them than n', { n: 2, best_of: 5 }, 5],
    ['sequences', { num_return_sequences: 6 }, 6],
    ['in other letters', { numReturnSequences: 6 }, 6],
    ['as text', { num_generations: '7' }, 7],
    ['samples', { samples: 8 }, 8],
    ['in extra_body', { extra_body: { n: 9 } }, 9],
    ['in an extra_body of an extra_body', { extra_body: { extra_body: { best_of: 9 } } }, 9],
    ['in sampling_params', { sampling_params: { n: 10 } }, 10],
    ['in parameters', { parameters: { best_of: 11 } }, 11],
    ['in an object nobody knows', { vendor_options: { generation: { num_completions: 12 } } }, 12],
  ])('that asks for answers as %s is held and paid for as many', (_, more, answers) => {
    expect(chatFacts({ ...chat, ...more })).toMatchObject({ paidAnswers: answers, callFactor: answers });
  });

  test.each<[string, Record<string, unknown>]>([
    ['metadata', { metadata: { n: '50' } }],
    ['a schema', { response_format: { type: 'json_schema', json_schema: { schema: { n: 4 } } } }],
    ['words', { messages: [{ role: 'user', content: '{"n": 5}', n: 5 }] }],
    ['no number', { extra_body: { n: 2.5, best_of: null, samples: 'many' } }],
    ['nothing', { extra_body: { n: 0, best_of: -3 } }],
  ])('is one answer whatever %s say', (_, more) => {
    expect(chatFacts({ ...chat, ...more })).toMatchObject({ paidAnswers: 1, callFactor: 1 });
  });

  test('that asks for more than a call may have is refused by name', () => {
    expect(() => chatFacts({ ...chat, extra_body: { n: 129 } })).toThrow("'n'");
    expect(() => chatFacts({ ...chat, sampling_params: { max_new_tokens: 1e9 } })).toThrow(
      "'max_new_tokens'",
    );
  });

  test.each<[string, Record<string, unknown>, number | undefined]>([
    ['in new tokens', { max_new_tokens: 900 }, 900],
    ['in an object', { sampling_params: { max_new_tokens: 900 } }, 900],
    ['in fewer, elsewhere', { parameters: { max_new_tokens: 3 } }, 10],
    ['in thoughts beside it', { thinking_budget: 500 }, 510],
    ['elsewhere alone', { max_tokens: undefined, extra_body: { max_tokens: 9000 } }, 9000],
    [
      'lower than is assumed, elsewhere alone',
      { max_tokens: undefined, extra_body: { max_tokens: 9 } },
      undefined,
    ],
  ])('whose length is told %s is held for the longest', (_, more, tokens) => {
    expect(chatFacts({ ...chat, ...more }).maxOutputTokens).toBe(tokens);
  });
});

test('a completion counts its prompts as often', () => {
  const body = {
    model: 'm',
    prompt: ['a', 'b'],
    max_tokens: 10,
    extra_body: { best_of: 4, max_new_tokens: 30 },
  };
  expect(openaiCompletions.facts(body)).toMatchObject({
    choices: 2,
    paidAnswers: 8,
    callFactor: 8,
    maxOutputTokens: 30,
  });
});
