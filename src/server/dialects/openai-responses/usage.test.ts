import type { ResponseUsage } from 'openai/resources/responses/responses';
import { expect, test } from 'vitest';
import { noUsage } from '#core/chat/usage.ts';
import { tapWhole } from './tap.ts';
import { writeUsage } from './usage.ts';

test('a converted usage has every count that official clients require, and refuse a response without', () => {
  const required: ResponseUsage = {
    input_tokens: 3,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 4,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 7,
  };
  expect(writeUsage({ ...noUsage, inputTokens: 3, outputTokens: 4 })).toEqual(required);
});

test.each<[string, object, object | undefined]>([
  ['two hours', { completion_window: '2h' }, { tier: 'window_2h' }],
  ['eight hours', { completion_window: '8h' }, { tier: 'window_8h' }],
  ['no time', { completion_window: 'soonest' }, { tier: 'standard' }],
  ['a time that nobody knows', { completion_window: '9h' }, { tier: 'standard' }],
  ['what is no time', { completion_window: { '8h': 1 } }, { tier: 'standard' }],
])('a response in the background that was given %s is of its own tier', (_, background_options, tier) => {
  const response = { status: 'completed', background: true, background_options, service_tier: 'default' };
  expect(tapWhole(response).served).toEqual(tier);
});

test('a window says nothing of another tier that was served, nor of a response in the foreground', () => {
  const response = { status: 'completed', background: true, background_options: { completion_window: '8h' } };
  expect(tapWhole({ ...response, service_tier: 'priority' }).served).toEqual({ tier: 'priority' });
  expect(tapWhole({ ...response, background: false }).served).toBeUndefined();
  expect(tapWhole(response).served).toEqual({ tier: 'window_8h' });
});

test('a whole response tells that the model thought, of which it shows a summary at most', () => {
  const said = { type: 'message', content: [{ type: 'output_text', text: 'hi' }] };
  const thought = { type: 'reasoning', summary: [] };
  expect(tapWhole({ status: 'completed', output: [thought, said] }).thinks).toBe(true);
  expect(tapWhole({ status: 'completed', output: [said] }).thinks).toBeUndefined();
});
