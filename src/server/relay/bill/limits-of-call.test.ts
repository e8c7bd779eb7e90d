import { expect, it } from 'vitest';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { chatFacts } from '../../dialects/openai-chat/facts.ts';
import { judgedCall } from '../testing/judged-call.ts';
import { limitsIfLarge } from './limits-of-call.ts';
import { chargeOf, newMeter } from './meter.ts';

/** A report of 100,000 tokens for an answer of twenty words, which are counted as 25. */

const TOLD = 100_000;
const BYTES = 100;
const COUNTED = 25;

interface Call {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly usage?: Partial<Usage>;
  readonly upstreamModel?: string;
}

const charged = (model: string, { fields, usage, upstreamModel = model }: Call = {}): number => {
  const body = { model, messages: [{ role: 'user', content: 'hi' }], ...fields };
  const facts = chatFacts(body);
  const reported = { ...noUsage, inputTokens: 5, outputTokens: TOLD, ...usage };
  const seen = { outputBytes: BYTES, reportedBytes: BYTES, produced: true, finished: true };
  const meter = { ...newMeter(), reported, ...seen };
  const judged = judgedCall({ facts, fields: body, meter, upstreamModel });
  const charge = chargeOf(meter, facts, limitsIfLarge(judged));
  return charge.action === 'settle' ? charge.usage.outputTokens : 0;
};

it.each([
  'gpt-4o',
  'openai/gpt-4.1-mini',
  'gpt-3.5-turbo',
  'chatgpt-4o-latest',
  'gpt-4-turbo',
  'claude-3-5-sonnet-20241022',
  'claude-3-opus',
  'gemini-2.0-flash',
  'gemini-1.5-pro',
])('is not believed of %s, which does not think', (model) => {
  expect(charged(model)).toBe(COUNTED);
  expect(charged(model, { fields: { max_tokens: 128_000 } })).toBe(COUNTED);
});

it.each([
  'claude-3-7-sonnet',
  'claude-3.7-sonnet',
  'claude-sonnet-4-6',
  'claude-opus-5',
  'gemini-2.0-flash-thinking-exp',
  'gemini-2.5-flash-live',
  'gemini-3.8-flash',
  'gpt-5.4',
  'o3',
  'gpt-4o-64k-output-alpha',
  'gpt-4-all',
  'deepseek-chat',
  'some-alias',
])('is believed of %s, whose thoughts may be unseen', (model) => {
  expect(charged(model)).toBe(TOLD);
});

// The makers' pages: 32,000 tokens at most, 64,000 and 65,536.
it.each([
  ['claude-opus-4-1-20250805', 32_000],
  ['anthropic/claude-opus-4', 32_000],
  ['claude-opus-4-20250514', 32_000],
  ['claude-sonnet-4-20250514', 64_000],
  ['claude-sonnet-4-5-20250929', 64_000],
  ['claude-sonnet-4.5-thinking', 64_000],
  ['claude-haiku-4-5', 64_000],
  ['claude-opus-4-5@20251101', 64_000],
  ['gemini-2.5-flash', 65_536],
  ['google/gemini-2.5-pro', 65_536],
  ['gemini-3-pro-preview', 65_536],
  ['gemini-3.5-flash-lite', 65_536],
])(
  'is believed of %s, which thinks, up to the %i tokens that its maker lets an answer have',
  (model, longest) => {
    const told = (outputTokens: number) => ({ outputTokens, reasoningTokens: outputTokens - 25 });
    for (const fields of [{}, { reasoning_effort: 'high' }, { max_tokens: 200_000 }]) {
      expect(charged(model, { fields, usage: told(longest) })).toBe(longest);
      expect(charged(model, { fields, usage: told(longest + 5000) })).toBe(COUNTED);
    }
    expect(charged(model, { upstreamModel: 'some-thinker' })).toBe(TOLD);
  },
);

it('o3 is believed up to 100,000 tokens', () => {
  const usage = { outputTokens: 105_000, reasoningTokens: 104_000 };
  expect(charged('o3', { usage })).toBe(COUNTED);
  expect(charged('o3-mini', { usage })).toBe(COUNTED);
  expect(charged('o3-deep-research', { usage })).toBe(105_000);
});

it('is believed where thoughts are asked for, told, or sold under that name, and where words were predicted', () => {
  const prediction = { type: 'content', content: 'x' };
  expect(charged('gpt-4o', { fields: { reasoning_effort: 'high' } })).toBe(TOLD);
  expect(charged('gpt-4o', { fields: { prediction } })).toBe(TOLD);
  expect(charged('gpt-4o', { usage: { reasoningTokens: 99_000 } })).toBe(TOLD);
  expect(charged('gpt-4o', { upstreamModel: 'some-thinker' })).toBe(TOLD);
});
