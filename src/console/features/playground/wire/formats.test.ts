import { expect, test } from 'vitest';
import type { ChatFormat } from './chat-format.ts';
import { chatRequest, type ChatSettings, extraOf } from './chat-request.ts';
import { ended, extended, pendingReply, userMessage } from '../talk/conversation.ts';
import { recorded, keepExchange, newExchange } from './exchange.ts';
import { readChunk } from './read-chunk.ts';

const settings = (format: ChatFormat): ChatSettings => ({
  format,
  group: 'vip',
  model: 'a/model',
  temperature: 0.3,
  sendsTemperature: true,
  maxTokens: 12.9,
  systemPrompt: ' Be brief. ',
  extra: '',
});

const reply = { ...pendingReply('m'), content: 'Hi.' };
const asked = [
  userMessage('what?', ['data:image/png;base64,AA==']),
  ...ended([reply], reply.id, { status: 'complete' }),
  userMessage('and now?', []),
];

test('Responses: the system prompt is `instructions`, and parts are typed by their role', () => {
  expect(chatRequest(settings('openai-responses'), asked)).toEqual({
    format: 'openai-responses',
    path: '/pg/responses',
    body: {
      model: 'a/model',
      group: 'vip',
      instructions: 'Be brief.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'what?' },
            { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
          ],
        },
        { role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] },
        { role: 'user', content: [{ type: 'input_text', text: 'and now?' }] },
      ],
      stream: true,
      max_output_tokens: 12,
      temperature: 0.3,
    },
  });
});

test('Messages: the system prompt is outside the messages, pictures are bytes, and there is always an output limit', () => {
  const { path, body } = chatRequest(settings('anthropic-messages'), asked);
  expect(path).toBe('/pg/messages');
  expect(body).toMatchObject({
    system: 'Be brief.',
    max_tokens: 12,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
          { type: 'text', text: 'what?' },
        ],
      },
      { role: 'assistant' },
      { role: 'user' },
    ],
  });
  const free = { ...settings('anthropic-messages'), maxTokens: 0 };
  expect(chatRequest(free, asked).body).toMatchObject({ max_tokens: 4096 });
});

test('Gemini: the model is in the path, limits are outside the contents, and zeros are left out', () => {
  const { path, body } = chatRequest(settings('gemini'), asked);
  expect(path).toBe('/pg/models/a%2Fmodel:streamGenerateContent?alt=sse');
  expect(body).toEqual({
    group: 'vip',
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }, { text: 'what?' }] },
      { role: 'model', parts: [{ text: 'Hi.' }] },
      { role: 'user', parts: [{ text: 'and now?' }] },
    ],
    generationConfig: { maxOutputTokens: 12, temperature: 0.3 },
  });
  const bare = { ...settings('gemini'), maxTokens: 0, sendsTemperature: false, systemPrompt: '' };
  expect(Object.keys(chatRequest(bare, asked).body)).toEqual(['group', 'contents']);
});

test('an enabled temperature of 0 is sent as 0 in every format', () => {
  const bodyIn = (format: ChatFormat) => chatRequest({ ...settings(format), temperature: 0 }, asked).body;
  for (const format of ['openai-chat', 'openai-responses', 'anthropic-messages'] as const)
    expect(bodyIn(format)).toMatchObject({ temperature: 0 });
  expect(bodyIn('gemini')).toMatchObject({ generationConfig: { temperature: 0 } });
});

test.each([
  [
    'openai-chat',
    { choices: [{ delta: { content: 'a', reasoning_content: 'b' } }] },
    { text: 'a', reasoning: 'b' },
  ],
  ['openai-chat', { choices: [], usage: { completion_tokens: 7 } }, { completionTokens: 7 }],
  ['openai-chat', { error: { message: 'broke' } }, { error: 'broke' }],
  [
    'openai-chat',
    { choices: [{ delta: { tool_calls: [{ index: 1, function: { name: 'look', arguments: '{"a' } }] } }] },
    { tools: [{ key: '1', name: 'look', input: '{"a' }] },
  ],
  [
    'openai-chat',
    { choices: [{ delta: { images: [{ image_url: { url: 'data:image/png;base64,AA==' } }] } }] },
    { images: ['data:image/png;base64,AA=='] },
  ],
  [
    'openai-responses',
    { type: 'response.output_item.added', output_index: 2, item: { type: 'function_call', name: 'look' } },
    { tools: [{ key: '2', name: 'look', input: '' }] },
  ],
  [
    'openai-responses',
    { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{}' },
    { tools: [{ key: '2', name: '', input: '{}' }] },
  ],
  [
    'openai-responses',
    { type: 'response.output_item.done', item: { type: 'image_generation_call', result: 'AA==' } },
    { images: ['data:image/png;base64,AA=='] },
  ],
  [
    'anthropic-messages',
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name: 'look', input: {} } },
    { tools: [{ key: '1', name: 'look', input: '' }] },
  ],
  [
    'anthropic-messages',
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
    { tools: [{ key: '1', name: '', input: '{"a":1}' }] },
  ],
  [
    'gemini',
    { candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] } }] },
    { images: ['data:image/png;base64,AA=='] },
  ],
  [
    'gemini',
    { candidates: [{ content: { parts: [{ functionCall: { name: 'look', args: { a: 1 } } }] } }] },
    { tools: [{ key: expect.any(String), name: 'look', input: '{"a":1}' }] },
  ],
  ['openai-responses', { type: 'response.output_text.delta', delta: 'a' }, { text: 'a' }],
  ['openai-responses', { type: 'response.reasoning_summary_text.delta', delta: 'b' }, { reasoning: 'b' }],
  [
    'openai-responses',
    { type: 'response.completed', response: { usage: { output_tokens: 7 } } },
    { completionTokens: 7, ending: 'whole' },
  ],
  [
    'openai-responses',
    { type: 'response.failed', response: { error: { message: 'broke' } } },
    { error: 'broke' },
  ],
  [
    'anthropic-messages',
    { type: 'content_block_delta', delta: { type: 'text_delta', text: 'a' } },
    { text: 'a' },
  ],
  ['anthropic-messages', { type: 'content_block_delta', delta: { thinking: 'b' } }, { reasoning: 'b' }],
  [
    'anthropic-messages',
    { type: 'message_delta', delta: {}, usage: { output_tokens: 7 } },
    { completionTokens: 7 },
  ],
  ['anthropic-messages', { type: 'error', error: { message: 'broke' } }, { error: 'broke' }],
  [
    'gemini',
    { candidates: [{ content: { parts: [{ text: 'b', thought: true }, { text: 'a' }] } }] },
    { text: 'a', reasoning: 'b' },
  ],
  ['gemini', { usageMetadata: { candidatesTokenCount: 5, thoughtsTokenCount: 2 } }, { completionTokens: 7 }],
  ['gemini', { error: { message: 'broke' } }, { error: 'broke' }],
  ['gemini', { promptFeedback: { blockReason: 'SAFETY' } }, { error: 'SAFETY' }],
  ['openai-chat', { choices: [{ delta: { refusal: 'No.' } }] }, { text: 'No.' }],
  ['openai-responses', { type: 'response.refusal.delta', delta: 'No.' }, { text: 'No.' }],
] as const)('reads an event of %s: %j', (format, event, said) => {
  const silent = {
    text: '',
    reasoning: '',
    tools: [],
    images: [],
    error: undefined,
    completionTokens: undefined,
    ending: undefined,
  };
  expect(readChunk(format, JSON.stringify(event))).toEqual({ ...silent, ...said });
});

test('extra parameters are merged deeply into the body, and win', () => {
  const extra = '{"stream_options": {"include_obfuscation": false}, "model": "other"}';
  expect(chatRequest({ ...settings('openai-chat'), extra }, asked).body).toMatchObject({
    model: 'other',
    stream: true,
    stream_options: { include_usage: true, include_obfuscation: false },
  });
  expect(extraOf('[1]')).toBeUndefined();
  expect(extraOf('{')).toBeUndefined();
  expect(extraOf(' ')).toEqual({});
});

test('pieces of a tool call are joined; a picture drawn by the model is shown and not sent back', () => {
  const first = extended([pendingReply('m')], '', [], []);
  const id = first[0]?.id ?? '';
  const grown = extended(
    extended(first, id, [{ key: '0', name: 'look', input: '{"a' }], []),
    id,
    [{ key: '0', name: '', input: '":1}' }],
    ['data:image/png;base64,AA=='],
  );
  expect(grown[0]).toMatchObject({
    tools: [{ key: '0', name: 'look', input: '{"a":1}' }],
    images: ['data:image/png;base64,AA=='],
  });
  const sent = JSON.stringify(chatRequest(settings('openai-chat'), [...grown, userMessage('and?', [])]).body);
  expect(sent).not.toContain('base64');
});

test('an exchange records the raw answer, however it was split, up to a limit; the last twenty are kept', async () => {
  const exchange = newExchange(chatRequest(settings('openai-chat'), asked));
  expect(JSON.parse(exchange.request)).toMatchObject({ model: 'a/model', stream: true });
  const bytes = new TextEncoder().encode('data: {"a":"你好"}\n\n');
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(out) {
      out.enqueue(bytes.slice(0, 14));
      out.enqueue(bytes.slice(14));
      out.close();
    },
  });
  expect(await new Response(recorded(exchange, stream)).text()).toBe('data: {"a":"你好"}\n\n');
  expect([exchange.answer, exchange.isCut]).toEqual(['data: {"a":"你好"}\n\n', false]);
  const long = new Response('x'.repeat(600 * 1024)).body;
  if (long !== null) await new Response(recorded(exchange, long)).text();
  expect([exchange.answer.length, exchange.isCut]).toEqual([512 * 1024, true]);

  const kept = new Map<string, typeof exchange>();
  for (let at = 0; at < 25; at += 1) keepExchange(kept, String(at), exchange);
  expect([...kept.keys()]).toEqual(Array.from({ length: 20 }, (_, at) => String(at + 5)));
});
