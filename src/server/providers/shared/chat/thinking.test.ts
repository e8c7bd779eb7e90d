import { describe, expect, test } from 'vitest';
import type { ChatRequest, Reasoning } from '#core/chat/request.ts';
import { anthropicMessages } from '../../../dialects/anthropic-messages/anthropic-messages.ts';
import { listOf } from '#core/json/fields.ts';
import { providerOf } from '../../registry.ts';
import { writtenAt } from '../../testing/asked-of.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { writtenFor } from '../../../dialects/upstream.ts';

const sent = (
  type: number,
  model: string,
  reasoning: Reasoning | undefined,
  beside: Partial<ChatRequest> = {},
) => {
  const provider = providerOf(type);
  if (provider === undefined) throw new Error('no provider');
  const request: ChatRequest = {
    model,
    stream: true,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
    extras: {},
    ...(reasoning !== undefined && { reasoning }),
    ...beside,
  };
  const written = provider.dialect.writeRequest(request);
  const call = { operation: 'chat', model, stream: request.stream } as const;
  return writtenFor(provider, written, call, channelOf(type));
};
const thinkingOf = (type: number, model: string, reasoning: Reasoning | undefined) => {
  const { model: _, stream: _stream, messages: _messages, ...rest } = sent(type, model, reasoning);
  return rest;
};

const ON = { enabled: true, budgetTokens: 4000 };
const OFF = { enabled: false };
type Row = readonly [type: number, model: string, asked: Reasoning | undefined, fields: object];

/** The request that each provider gets, by the reference that its folder names. */
const rows: readonly Row[] = [
  [4, 'qwen3', OFF, { reasoning_effort: 'none' }],
  [16, 'glm-4.7', OFF, { thinking: { type: 'disabled' } }],
  [26, 'glm-4.7', ON, { thinking: { type: 'enabled' } }],
  [26, 'glm-5.3', { effort: 'max' }, { thinking: { type: 'enabled' }, reasoning_effort: 'max' }],
  [26, 'glm-5.3', OFF, {}],
  [17, 'qwen-plus', ON, { enable_thinking: true, thinking_budget: 4000 }],
  [17, 'qwen-plus', OFF, { enable_thinking: false }],
  [17, 'qwen-plus', { effort: 'low' }, { enable_thinking: true, thinking_budget: 2048 }],
  [20, 'a/b', ON, { reasoning: { max_tokens: 4000 } }],
  [20, 'a/b', { effort: 'xhigh' }, { reasoning: { effort: 'xhigh' } }],
  [20, 'a/b', OFF, { reasoning: { effort: 'none' } }],
  [25, 'kimi-k2.6', OFF, { thinking: { type: 'disabled' } }],
  [25, 'kimi-k2.7-code', OFF, {}],
  [25, 'kimi-k3', { effort: 'medium' }, { reasoning_effort: 'high' }],
  [35, 'MiniMax-M3', undefined, { reasoning_split: true }],
  [35, 'MiniMax-M3', OFF, { reasoning_split: true, thinking: { type: 'disabled' } }],
  [40, 'Qwen/Qwen3-8B', { budgetTokens: 64 }, { enable_thinking: true, thinking_budget: 128 }],
  [42, 'mistral-small-latest', { effort: 'low' }, { reasoning_effort: 'high' }],
  [42, 'codestral-latest', ON, {}],
  [43, 'deepseek-v4-pro', OFF, { thinking: { type: 'disabled' } }],
  [43, 'deepseek-v4-pro', { effort: 'xhigh' }, { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
  [
    45,
    'doubao-seed-2-0',
    { effort: 'minimal' },
    { thinking: { type: 'enabled' }, reasoning_effort: 'minimal' },
  ],
  [46, 'ernie-x2', OFF, { enable_thinking: false }],
  [48, 'grok-4.5', { effort: 'max' }, { reasoning_effort: 'high' }],
  [48, 'grok-4.20-reasoning', ON, {}],
  [100, 'qwen/qwen3-32b', OFF, { reasoning_format: 'parsed', reasoning_effort: 'none' }],
  [100, 'openai/gpt-oss-120b', ON, { reasoning_effort: 'medium' }],
  [101, 'zai-org/GLM-5', OFF, { reasoning: { enabled: false } }],
  [103, 'gpt-oss-120b', OFF, {}],
  [103, 'zai-glm-4.7', OFF, { reasoning_effort: 'none' }],
];

describe('how to think is told in the words of each provider', () => {
  test.each(rows)('type %i, %s: %j is %j', (type, model, asked, fields) => {
    expect(thinkingOf(type, model, asked)).toEqual(fields);
  });

  test('nothing is sent if the caller says nothing about it', () => {
    const silent = [4, 16, 17, 20, 25, 40, 42, 43, 45, 46, 48, 101, 102, 103];
    expect(silent.filter((type) => Object.keys(thinkingOf(type, 'm', undefined)).length > 0)).toEqual([]);
  });

  test('a Messages caller can switch it off', () => {
    const asked = anthropicMessages.readRequest({
      model: 'm',
      max_tokens: 10,
      thinking: { type: 'disabled' },
      messages: [{ role: 'user', content: 'x' }],
    });
    expect(sent(17, 'qwen-plus', asked.reasoning)).toMatchObject({ enable_thinking: false });
  });

  test('open Qwen models, which think only where they stream, are told not to elsewhere', () => {
    const whole = { stream: false };
    expect(sent(17, 'qwen3-235b-a22b', undefined, whole)).toMatchObject({ enable_thinking: false });
    expect(sent(17, 'qwen3-235b-a22b-instruct-2507', undefined, whole)).not.toHaveProperty('enable_thinking');
    expect(sent(17, 'qwen3-8b', undefined)).not.toHaveProperty('enable_thinking');
  });
});

describe('what was thought before', () => {
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: 'y', reasoning_content: 'hm', reasoning_details: [{ text: 'hm' }] },
    { role: 'assistant', content: null, tool_calls: [{ id: '1' }] },
  ];
  const second = (type: number, model = 'm'): readonly unknown[] => {
    const call = { operation: 'chat', model, stream: false } as const;
    const body = writtenAt(channelOf(type), { messages }, call);
    return listOf(body['messages']).slice(1);
  };

  test.each([100, 103])('is `reasoning` for type %i, which refuses the other name', (type) => {
    expect(second(type)[0]).toEqual({ role: 'assistant', content: 'y', reasoning: 'hm' });
  });

  test.each([1, 3])(
    'is left out for old models at type %i, which refuse unknown fields of a message',
    (type) => {
      expect(second(type, 'gpt-4-turbo')[0]).toEqual({ role: 'assistant', content: 'y' });
      expect(second(type, 'gpt-3.5-turbo')[0]).toEqual({ role: 'assistant', content: 'y' });
      for (const model of ['gpt-4o', 'gpt-4.1', 'deepseek-chat'])
        expect(second(type, model)[0]).toBe(messages[1]);
    },
  );

  test('is a part of the content for Mistral', () => {
    expect(second(42)[0]).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }], closed: true },
        { type: 'text', text: 'y' },
      ],
    });
  });

  test('is sent beside every tool call for those that require it', () => {
    expect(second(43)[1]).toMatchObject({ reasoning_content: '' });
    expect(second(25, 'kimi-k3')[1]).toMatchObject({ reasoning_content: ' ' });
    expect(second(25, 'moonshot-v1-8k')[1]).not.toHaveProperty('reasoning_content');
    expect(second(43)[0]).toBe(messages[1]);
  });
});
