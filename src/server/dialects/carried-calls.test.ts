import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import type { ChatRequest, DialectName } from '#core/chat/request.ts';
import { chatDialects } from './chat-dialects.ts';
import type { Fields } from '#core/json/fields.ts';
import { readStream, writeStream } from './testing/streams.ts';

/** How calls of types that only some formats have are converted. */

const chat = chatDialects['openai-chat'];
const hello = [{ role: 'user', content: 'hello' }];
const parameters = { type: 'object', properties: {} };

const bodies = async (
  name: DialectName,
  events: readonly ChatEvent[],
  asked?: ChatRequest,
): Promise<Fields[]> => {
  const writer = chatDialects[name].openWriter(asked);
  const frames = [...events.flatMap((event) => writer.write(event)), ...writer.end()];
  return frames.flatMap(({ data }) =>
    data.toString() === '[DONE]' ? [] : [JSON.parse(data.toString()) as Fields],
  );
};

describe('a tool that takes free text', () => {
  const grammar = { syntax: 'lark', definition: 'start: WORD' };
  const asked = chat.readRequest({
    model: 'm',
    messages: hello,
    tools: [
      {
        type: 'custom',
        custom: { name: 'patch', description: 'Patches', format: { type: 'grammar', grammar } },
      },
    ],
    tool_choice: { type: 'custom', custom: { name: 'patch' } },
  });

  test('of a chat caller is the same in Responses and a function elsewhere', () => {
    expect(chatDialects['openai-responses'].writeRequest(asked)).toMatchObject({
      tools: [
        { type: 'custom', name: 'patch', description: 'Patches', format: { type: 'grammar', ...grammar } },
      ],
      tool_choice: { type: 'custom', name: 'patch' },
    });
    expect(chatDialects['anthropic-messages'].writeRequest(asked)).toMatchObject({
      tools: [{ name: 'patch', input_schema: { required: ['input'] } }],
      tool_choice: { type: 'tool', name: 'patch' },
    });
  });

  test('is called with its text, in pieces, whatever format the upstream speaks', async () => {
    const pieces = ['{"in', 'put": "a\\n', 'b\\ud83d', '\\ude00"}'];
    const reply: ChatEvent[] = [
      { type: 'tool-call-start', choice: 0, index: 0, id: 'c1', name: 'patch' },
      ...pieces.map((argumentsText): ChatEvent => ({
        type: 'tool-call-delta',
        choice: 0,
        index: 0,
        argumentsText,
      })),
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ];
    const inputs = (await bodies('openai-chat', reply, asked)).flatMap(
      (body) =>
        JSON.stringify(body)
          .match(/"input":"((?:[^"\\]|\\.)*)"/)
          ?.slice(1) ?? [],
    );
    expect(inputs.map((input) => JSON.parse(`"${input}"`) as string).filter((text) => text !== '')).toEqual([
      'a\n',
      'b',
      '😀',
    ]);
    expect(chat.writeWhole(reply, asked)).toMatchObject({
      choices: [
        {
          message: { tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'patch', input: 'a\nb😀' } }] },
        },
      ],
    });
  });

  test('comes back in the next turn as the call of the kind it was, with its result', () => {
    const next = chat.readRequest({
      model: 'm',
      messages: [
        ...hello,
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'patch', input: 'text' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
      ],
    });
    expect(chatDialects['openai-responses'].writeRequest(next)['input']).toEqual([
      { role: 'user', content: 'hello' },
      { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: 'text' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
    ]);
    expect(
      chatDialects['anthropic-messages'].writeRequest({ ...next, maxOutputTokens: 9 })['messages'],
    ).toEqual([
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c1', name: 'patch', input: { input: 'text' } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'done' }] },
    ]);
  });

  test('called by a Responses upstream is heard piece by piece and whole', async () => {
    const events: ChatEvent[] = [
      { type: 'tool-call-start', choice: 0, index: 0, id: 'c1', name: 'patch', isFreeText: true },
      { type: 'tool-call-delta', choice: 0, index: 0, argumentsText: '{"input":"a' },
      { type: 'tool-call-delta', choice: 0, index: 0, argumentsText: 'b"}' },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ];
    const { 'openai-responses': responses } = chatDialects;
    const heard = await Array.fromAsync(readStream(responses, writeStream(responses, events)));
    const texts = (list: readonly ChatEvent[]) =>
      list.flatMap((event) => (event.type === 'tool-call-delta' ? [event.argumentsText] : []));
    expect(texts(heard)).toEqual(['{"input":"a', 'b', '"}']);
    expect(texts(responses.readWhole(responses.writeWhole(events)))).toEqual(['{"input":"ab"}']);
    expect(heard.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
  });
});

describe('functions, as they were before tools', () => {
  const asked = chat.readRequest({
    model: 'm',
    messages: [
      ...hello,
      { role: 'assistant', content: null, function_call: { name: 'a', arguments: '{"x":1}' } },
      { role: 'function', name: 'a', content: 'one' },
    ],
    functions: [{ name: 'a', parameters }],
    function_call: 'auto',
  });

  test('are tools of every upstream, their calls and results paired', () => {
    expect(chatDialects['anthropic-messages'].writeRequest({ ...asked, maxOutputTokens: 9 })).toMatchObject({
      tools: [{ name: 'a' }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      messages: [
        { role: 'user' },
        { content: [{ type: 'tool_use', id: 'call_1_a', name: 'a', input: { x: 1 } }] },
        { content: [{ type: 'tool_result', tool_use_id: 'call_1_a', content: 'one' }] },
      ],
    });
  });

  test('go to an upstream of their own format as they came', () => {
    const written = chat.writeRequest(asked);
    expect(written).toMatchObject({ functions: [{ name: 'a' }], function_call: 'auto' });
    expect(written['tools']).toBeUndefined();
    expect((written['messages'] as unknown[]).slice(1)).toEqual([
      { role: 'assistant', content: null, function_call: { name: 'a', arguments: '{"x":1}' } },
      { role: 'function', name: 'a', content: 'one' },
    ]);
  });

  test('are called in their own form, whole and streamed', async () => {
    const reply: ChatEvent[] = [
      { type: 'tool-call-start', choice: 0, index: 0, id: 'c1', name: 'a' },
      { type: 'tool-call-delta', choice: 0, index: 0, argumentsText: '{}' },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ];
    expect(chat.writeWhole(reply, asked)).toMatchObject({
      choices: [
        { message: { function_call: { name: 'a', arguments: '{}' } }, finish_reason: 'function_call' },
      ],
    });
    const deltas = (await bodies('openai-chat', reply, asked)).map(
      (body) => (body['choices'] as Fields[])[0],
    );
    expect(deltas).toMatchObject([
      { delta: { function_call: { name: 'a', arguments: '' } } },
      { delta: { function_call: { arguments: '{}' } } },
      { finish_reason: 'function_call' },
    ]);
  });
});
