import { expect, it } from 'vitest';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { chatFacts } from '../../dialects/openai-chat/facts.ts';
import type { Admitted } from '../stages.ts';
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
  const trial = { channel: { type: 1, paramOverride: {}, setting: {} }, sentAs: { upstreamModel } };
  const call = { call: { operation: 'chat' }, request: { facts, fields: body }, live: { trial, meter } };
  const charge = chargeOf(meter, facts.inputTokensEstimate, limitsIfLarge(call as unknown as Admitted));
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
  'claude-sonnet-4-5',
  'gemini-2.0-flash-thinking-exp',
  'gemini-2.5-flash',
  'gpt-5.4',
  'o3',
  'gpt-4o-64k-output-alpha',
  'gpt-4-all',
  'deepseek-chat',
  'some-alias',
])('is believed of %s, whose thoughts may be unseen', (model) => {
  expect(charged(model)).toBe(TOLD);
});

it('is believed where thoughts are asked for, told, or sold under that name, and where words were predicted', () => {
  const prediction = { type: 'content', content: 'x' };
  expect(charged('gpt-4o', { fields: { reasoning_effort: 'high' } })).toBe(TOLD);
  expect(charged('gpt-4o', { fields: { prediction } })).toBe(TOLD);
  expect(charged('gpt-4o', { usage: { reasoningTokens: 99_000 } })).toBe(TOLD);
  expect(charged('gpt-4o', { upstreamModel: 'some-thinker' })).toBe(TOLD);
});
