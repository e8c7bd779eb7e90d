import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { chatDialects } from './chat-dialects.ts';
import { writeFrame } from './sse.ts';

/** Answers of several messages or blocks, converted for callers of other formats. */

type Json = Record<string, unknown>;

const message = (id: string, text: string, annotations: unknown[] = []): Json => ({
  id,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations }],
});
const cited = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 3 };
const output = [message('msg_1', 'I look.'), message('msg_2', 'Done: 7.', [cited])];
const response = { id: 'resp_1', model: 'm', status: 'completed', output };

const pieces = [
  { type: 'response.created', response: { id: 'resp_1', model: 'm', status: 'in_progress', output: [] } },
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'I ' },
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'look.' },
  { type: 'response.output_item.done', output_index: 0, item: output[0] },
  { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Done: ' },
  { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: '7.' },
  { type: 'response.output_item.done', output_index: 1, item: output[1] },
  { type: 'response.completed', response },
];
const streamed = (from: DialectName, bodies: readonly unknown[], to: DialectName): Json[] => {
  const reader = chatDialects[from].openReader();
  const writer = chatDialects[to].openWriter();
  const events = bodies.flatMap((body) => reader.read(writeFrame(JSON.stringify(body))));
  return [...[...events, ...reader.end()].flatMap((event) => writer.write(event)), ...writer.end()]
    .map(({ data }) => data.toString())
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as Json);
};
const whole = (from: DialectName, body: unknown, to: DialectName): Json =>
  chatDialects[to].writeWhole(chatDialects[from].readWhole(body)) as Json;

describe('two messages of a response', () => {
  test('are two blocks to Messages callers', () => {
    expect(whole('openai-responses', response, 'anthropic-messages')['content']).toMatchObject([
      { type: 'text', text: 'I look.' },
      { type: 'text', text: 'Done: 7.' },
    ]);
    const events = streamed('openai-responses', pieces, 'anthropic-messages');
    expect(events.filter(({ type }) => type === 'content_block_start')).toHaveLength(2);
  });

  test('are two parts to Gemini callers', () => {
    const parts = [{ text: 'I look.' }, { text: 'Done: 7.' }];
    expect(whole('openai-responses', response, 'gemini')['candidates']).toMatchObject([
      { content: { parts } },
    ]);
  });

  test('are one text to chat callers, whose citations count from where that begins', () => {
    const [choice] = whole('openai-responses', response, 'openai-chat')['choices'] as { message: Json }[];
    expect(choice?.message['content']).toBe('I look.Done: 7.');
    const places = { start_index: 7, end_index: 10 };
    expect(choice?.message['annotations']).toMatchObject([{ url_citation: places }]);
    const deltas = streamed('openai-responses', pieces, 'openai-chat').flatMap(({ choices }): Json[] =>
      (choices as { delta: Json }[]).map(({ delta }) => delta),
    );
    expect(deltas.map(({ content }) => (typeof content === 'string' ? content : '')).join('')).toBe(
      'I look.Done: 7.',
    );
    expect(deltas.flatMap(({ annotations }) => annotations ?? [])).toMatchObject([{ url_citation: places }]);
  });

  test('are two messages when they are said again', () => {
    const said = whole('openai-responses', response, 'openai-responses')['output'];
    expect(said).toMatchObject([{ content: [{ text: 'I look.' }] }, { content: [{ text: 'Done: 7.' }] }]);
  });
});

test('what Anthropic says before and after a search of its own stays apart where a format can hold it so', () => {
  const content = [
    { type: 'text', text: 'I search.' },
    { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
    { type: 'text', text: 'It is ' },
    { type: 'text', text: 'seven.' },
  ];
  const body = { id: 'msg_1', type: 'message', model: 'm', content, stop_reason: 'end_turn', usage: {} };
  expect(whole('anthropic-messages', body, 'openai-chat')['choices']).toMatchObject([
    { message: { content: 'I search.It is seven.' } },
  ]);
  expect(whole('anthropic-messages', body, 'openai-responses')['output']).toMatchObject([
    { content: [{ text: 'I search.' }] },
    { content: [{ text: 'It is seven.' }] },
  ]);
});

test('what Gemini says before and after code it ran stays apart where a format can hold it so', () => {
  const parts = [
    { text: 'I run it.' },
    { executableCode: { language: 'PYTHON', code: 'print(7)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '7' } },
    { text: 'It is ' },
    { text: 'seven.' },
  ];
  const body = { candidates: [{ content: { parts }, finishReason: 'STOP' }] };
  expect(whole('gemini', body, 'anthropic-messages')['content']).toMatchObject([
    { text: 'I run it.' },
    { text: 'It is seven.' },
  ]);
});

test('a refusal after words is a statement of its own', () => {
  const message = {
    role: 'assistant',
    content: 'I can say this.',
    refusal: 'Not that.',
    annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A' } }],
  };
  const body = { id: 'c', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] };
  expect(whole('openai-chat', body, 'anthropic-messages')['content']).toMatchObject([
    { text: 'I can say this.' },
    { text: 'Not that.' },
  ]);
  expect(whole('openai-chat', body, 'gemini')['candidates']).toMatchObject([
    { content: { parts: [{ text: 'I can say this.' }, { text: 'Not that.' }] } },
  ]);
  const [item] = whole('openai-chat', body, 'openai-responses')['output'] as { content: Json[] }[];
  expect(item?.content.map(({ type }) => type)).toEqual(['output_text', 'refusal']);
});
