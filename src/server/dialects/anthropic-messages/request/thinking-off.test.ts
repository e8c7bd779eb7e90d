import { expect, test } from 'vitest';
import type { ChatRequest, Reasoning } from '#core/chat/request.ts';
import { fillRequest } from './fill-request.ts';
import { writeRequest } from './write-request.ts';

const thinkingOf = (model: string, reasoning: Reasoning) => {
  const request: ChatRequest = {
    model,
    stream: false,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
    reasoning,
    extras: {},
  };
  const { thinking, output_config } = writeRequest(request);
  return { thinking, output_config };
};

test.each([
  ['claude-sonnet-4-5', { type: 'disabled' }, undefined],
  // Does not think unless it is asked to.
  ['claude-opus-4-8', undefined, undefined],
  ['claude-opus-5', { type: 'disabled' }, undefined],
  ['claude-sonnet-5', { type: 'disabled' }, undefined],
  ['claude-haiku-5-5', { type: 'disabled' }, undefined],
  ['claude-sonnet-5-5', { type: 'between_tools' }, undefined],
  ['us.anthropic.claude-opus-5-5', undefined, { effort: 'low' }],
  ['claude-fable-5-2', undefined, { effort: 'low' }],
])('%s is kept from thinking as far as it can be', (model, thinking, output_config) => {
  expect(thinkingOf(model, { effort: 'none' })).toEqual({ thinking, output_config });
});

test('a model that is told not to think is asked for no more than a high effort', () => {
  expect(thinkingOf('claude-opus-5', { enabled: false, effort: 'max' })).toEqual({
    thinking: { type: 'disabled' },
    output_config: { effort: 'high' },
  });
  expect(thinkingOf('claude-opus-5-5', { enabled: false })).toEqual({
    thinking: undefined,
    output_config: { effort: 'low' },
  });
});

test('a name that asks for no thinking asks one that always thinks for little', () => {
  const body = { model: 'claude-opus-5-5-nothinking', max_tokens: 100, messages: [] };
  expect(fillRequest(body, body.model, {})).toEqual({
    model: 'claude-opus-5-5',
    max_tokens: 100,
    messages: [],
    output_config: { effort: 'low' },
  });
});
