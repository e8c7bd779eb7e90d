import { describe, expect, it } from 'vitest';
import type { Fields } from '#core/json/fields.ts';
import type { Counting } from './openai/usage/estimate-tokens.ts';
import { messagesFacts } from './anthropic-messages/facts.ts';
import { facts as geminiFacts } from './gemini/facts.ts';
import { chatFacts } from './openai-chat/facts.ts';
import { responsesFacts } from './openai-responses/facts.ts';

/** What a prompt has beside long texts is held as what it has: models are shown it as JSON (docs/billing.md). */

const many = <Value>(value: Value, count = 2000): Value[] => Array.from({ length: count }, () => value);
const named = (name: (at: number) => string): Fields =>
  Object.fromEntries(Array.from({ length: 300 }, (_, at) => [name(at), 1]));
const letterAt = (at: number): string => String.fromCodePoint(0x12000 + at);

/** The input of a tool, and the most that one of five tokenizers counts (o200k, cl100k, Gemma's, DeepSeek's, Qwen's). */
const inputs: Readonly<Record<string, readonly [input: Fields, tokens: number]>> = {
  'fractions of numbers': [{ a: many(0.123_456_789_012_345_68) }, 38_006],
  'large numbers': [{ a: many(123_456_789_012_345) }, 32_006],
  'small numbers': [{ a: many(17) }, 6004],
  'nothing, often': [{ a: many(null) }, 4004],
  'yes, often': [{ a: many(true) }, 4004],
  'empty lists': [{ a: many([]) }, 2006],
  'empty objects': [{ a: many({}) }, 2005],
  'empty texts': [{ a: many('', 3000) }, 3005],
  'texts of a letter': [{ a: many('x', 3000) }, 6004],
  'short texts of digits': [{ a: many('0123456789'.repeat(18), 300) }, 54_304],
  'names of digits': [named((at) => `k${String(1e15 + at)}${String(1e15 + at)}`), 10_506],
  'names in a script of old': [named((at) => letterAt(at).repeat(20)), 24_842],
  'quotation marks': [{ a: '"'.repeat(5000) }, 5005],
  'lines without words': [{ a: '\n'.repeat(5000) }, 5005],
  'signs that nobody can see': [{ a: '\u0001'.repeat(5000) }, 30_005],
};

const asked = (input: Fields, counting: Counting): readonly number[] => {
  const tool = { type: 'tool_use', id: 'a', name: 'f', input };
  const messages = { model: 'm', max_tokens: 1, messages: [{ role: 'assistant', content: [tool] }] };
  const parts = [{ functionCall: { name: 'f', args: input } }];
  const ofTool = { type: 'function', function: { name: 'f', parameters: { default: input } } };
  return [
    messagesFacts(messages, counting),
    geminiFacts({ model: 'm', contents: [{ role: 'model', parts }] }, counting),
    chatFacts({ model: 'm', messages: [{ role: 'user', content: 'a' }], tools: [ofTool] }, counting),
  ].map(({ inputTokensEstimate }) => inputTokensEstimate);
};

it.each(Object.entries(inputs))(
  '%s in the input of a tool have no more tokens than a hold assumes',
  (_, [input, tokens]) => {
    for (const held of [...asked(input, 'by bytes'), ...asked(input, 'closely')]) {
      expect(held).toBeGreaterThanOrEqual(tokens * 0.98);
      expect(held).toBeLessThan(tokens * 2.1 + 100);
    }
  },
);

it('a number counts with all its digits, however large it is', () => {
  for (const [number, digits] of [
    ['1e300', 301],
    ['1e999', 4300],
  ] as const)
    for (const held of asked({ a: JSON.parse(number) as number }, 'by bytes'))
      expect(held).toBeGreaterThanOrEqual(digits);
});

it('what an honest upstream may report for them is no lie', () => {
  for (const [input, tokens] of Object.values(inputs)) {
    const content = [{ type: 'tool_use', id: 'a', name: 'f', input }];
    const facts = messagesFacts({ model: 'm', max_tokens: 1, messages: [{ role: 'assistant', content }] });
    expect(facts.promptTokensMost).toBeGreaterThanOrEqual(tokens * 0.98);
  }
});

it('a list of token numbers has one each', () => {
  expect(
    chatFacts({ model: 'm', messages: [{}], prediction: many(50_000) }).inputTokensEstimate,
  ).toBeLessThan(2100);
});

describe('a field that nobody knows', () => {
  const documents = [{ title: 'a', text: 'word '.repeat(40_000) }];
  const further: Readonly<Record<string, unknown>> = {
    documents,
    chat_template_kwargs: { documents },
    translation_options: { terms: [{ from: 'word '.repeat(40_000), to: 'a' }] },
    context: 'word '.repeat(40_000),
  };
  const held = (field: string, value: unknown): readonly number[] => {
    const messages = [{ role: 'user', content: 'a' }];
    return [
      chatFacts({ model: 'm', messages, [field]: value }),
      messagesFacts({ model: 'm', max_tokens: 1, messages, [field]: value }),
      responsesFacts({ model: 'm', input: 'a', [field]: value }),
    ].flatMap(({ inputTokensEstimate, promptTokensMost = 0 }) => [inputTokensEstimate, promptTokensMost]);
  };

  it.each(Object.entries(further))('may be read by an upstream, and is held for: %s', (field, value) => {
    for (const tokens of held(field, value)) expect(tokens).toBeGreaterThanOrEqual(40_000);
  });

  it('is none where it is known that no model reads it', () => {
    const bias = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [String(at), 1]));
    for (const [field, value] of Object.entries({ logit_bias: bias, metadata: { note: 'a '.repeat(500) } }))
      for (const tokens of held(field, value)) expect(tokens).toBeLessThan(100);
  });
});
