import { describe, expect, test } from 'vitest';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { fold } from '../../dialects/testing/fold.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { perplexity } from './perplexity.ts';
import { writtenFor } from '../../dialects/upstream.ts';

/** docs.perplexity.ai/docs/agent-api/migrate-from-sonar: fields it does not know are refused. */

const sent = (body: Record<string, unknown>, model = 'perplexity/sonar') => {
  const written = perplexity.dialect.writeRequest({ ...openaiChat.readRequest({ ...body, model }), model });
  return writtenFor(perplexity, written, { operation: 'chat', model, stream: false }, channelOf(27));
};
const messages = [{ role: 'user', content: 'hello' }];

describe('what is asked', () => {
  test('has no field that would be refused', () => {
    const body = sent({
      messages,
      user: 'u',
      seed: 1,
      top_k: 3,
      presence_penalty: 1,
      reasoning_effort: 'high',
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
    });
    expect(body).toEqual({
      model: 'perplexity/sonar',
      input: expect.any(Array) as unknown,
      store: false,
      reasoning: { effort: 'high' },
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
      tools: [expect.objectContaining({ type: 'function', name: 'f' })],
      tool_choice: { name: 'f' },
    });
  });

  test.each([
    ['sonar', { model: 'perplexity/sonar', preset: 'fast' }],
    ['sonar-reasoning-pro', { model: 'perplexity/sonar', preset: 'low' }],
    ['sonar-deep-research', { model: 'perplexity/sonar', preset: 'medium' }],
    ['openai/gpt-5.5', { model: 'openai/gpt-5.5' }],
  ])('%s goes by the name it has now', (model, fields) => {
    const body = sent({ messages }, model);
    expect(body).toMatchObject(fields);
    expect(Object.keys(body ?? {}).sort()).toEqual([...Object.keys(fields), 'input', 'store'].sort());
  });

  test('a preset is asked for by its name alone, and not thinking is not told', () => {
    const body = sent({ messages, reasoning_effort: 'none' }, 'pro-search');
    expect(body).toEqual({ preset: 'pro-search', input: expect.any(Array) as unknown, store: false });
  });
});

const FOUND = { type: 'search_results', results: [{ url: 'https://a.example', title: 'A' }, { id: 2 }] };
const MESSAGE = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes [1].' }] };

test('what was found is cited, whole and streamed', () => {
  const response = { id: 'r', status: 'completed', output: [FOUND, MESSAGE] };
  const events = [
    { type: 'response.output_item.done', output_index: 0, item: FOUND },
    { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Yes [1].' },
    { type: 'response.completed', response },
  ];
  const reader = perplexity.dialect.openReader();
  const streamed = [
    ...events.flatMap((event) => {
      const data = Buffer.from(JSON.stringify(event));
      return reader.read({ raw: data, data, event: '' });
    }),
    ...reader.end(),
  ];
  for (const told of [perplexity.dialect.readWhole(response), streamed]) {
    expect(told.filter(({ type }) => type === 'citation')).toEqual([
      { type: 'citation', choice: 0, url: 'https://a.example', title: 'A' },
    ]);
    expect(fold(told).choices[0]).toMatchObject({ text: 'Yes [1].', finish: 'stop' });
  }
});
