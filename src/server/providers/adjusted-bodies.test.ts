import { describe, expect, test } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import type { Operation } from '#core/operation.ts';
import type { UpstreamCall } from '../dialects/upstream.ts';
import { relayedTypes } from './registry.ts';
import { writtenAt } from './testing/asked-of.ts';

describe('what a kind needs changed', () => {
  const adjust = (type: number, body: Record<string, unknown>, model = 'm', operation: Operation = 'chat') =>
    writtenAt(channelOf(type), body, { operation, model, stream: false });

  test('a limit is sent under the name that the model obeys', () => {
    expect(adjust(1, { max_tokens: 5 }, 'o3-mini')).toEqual({ max_completion_tokens: 5 });
    expect(adjust(1, { max_tokens: 5 }, 'gpt-4o')).toEqual({ max_tokens: 5 });
    expect(adjust(1, { max_tokens: 5 }, 'gpt-5', 'completions')).toEqual({ max_tokens: 5 });
    expect(adjust(3, { max_tokens: 5 }, 'gpt-5-eu')).toEqual({ max_completion_tokens: 5 });
    expect(adjust(43, { max_completion_tokens: 5, max_tokens: 9 })).toEqual({ max_tokens: 5 });
    expect(adjust(35, { max_completion_tokens: 5 })).toEqual({ max_completion_tokens: 5 });
  });

  test('how hard to think may stand at the end of the name of a model that reasons', () => {
    expect(adjust(1, { model: 'o3-mini-high' }, 'o3-mini-high')).toEqual({
      model: 'o3-mini',
      reasoning_effort: 'high',
    });
    expect(adjust(1, { model: 'gpt-5-low', reasoning_effort: 'high' }, 'gpt-5-low')).toEqual({
      model: 'gpt-5',
      reasoning_effort: 'high',
    });
    expect(adjust(1, { model: 'm-high' }, 'm-high')).toEqual({ model: 'm-high' });
    const asResponses: UpstreamCall = {
      operation: 'chat',
      model: 'o1-low',
      stream: false,
      dialect: 'openai-responses',
    };
    expect(writtenAt(channelOf(1), { model: 'o1-low', reasoning: { summary: 'auto' } }, asResponses)).toEqual(
      { model: 'o1', reasoning: { effort: 'low', summary: 'auto' } },
    );
  });

  test('a developer message becomes a system message where that role is not known', () => {
    const messages = [
      { role: 'developer', content: 'a' },
      { role: 'user', content: 'b' },
    ];
    expect(adjust(43, { messages })['messages']).toEqual([
      { role: 'system', content: 'a' },
      { role: 'user', content: 'b' },
    ]);
    expect(adjust(1, { messages })['messages']).toBe(messages);
  });

  test('Mistral gets nothing it refuses', () => {
    const body = {
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      seed: 1,
      user: 'u',
      max_completion_tokens: 3,
    };
    expect(adjust(42, body)).toEqual({ model: 'm', stream: true, random_seed: 1, max_tokens: 3 });
  });

  test('Google is told to store nothing of a call that came in another format', () => {
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    const call = { operation: 'chat', model: 'gemini-4-neon', stream: false } as const;
    const storeAt = (type: number, body: object, more: object = {}, other = ''): unknown =>
      writtenAt(channelOf(type, { other }), { contents, ...body }, { ...call, ...more })['store'];
    expect(storeAt(24, {})).toBe(false);
    expect(storeAt(24, { store: true })).toBe(true);
    // A caller of Google's own format decides itself, or the project does.
    expect(storeAt(24, {}, { isRepeated: true })).toBeUndefined();
    // No such field at Vertex, nor in the older version.
    expect(storeAt(41, {})).toBeUndefined();
    expect(storeAt(24, {}, {}, 'v1')).toBeUndefined();
  });

  test('a body that needs no change is the same object', () => {
    const body = { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'x' }] };
    // The others bring what stands in the channel, or the operator's settings.
    const own = new Set([11, 21, 24, 27, 33, 41, 42, 49, 56]);
    expect(relayedTypes.filter((type) => !own.has(type) && adjust(type, body) !== body)).toEqual([]);
  });
});
