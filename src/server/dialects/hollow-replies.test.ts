import { describe, expect, test } from 'vitest';
import { chatDialects } from './chat-dialects.ts';
import { SseParser, writeFrame } from './sse.ts';

/** Responses that lack parts of their usual shape. */

const tapsOf = (text: string) => {
  const parser = new SseParser();
  const frames = [...parser.feed(Buffer.from(text)), ...parser.end()];
  return frames.map((frame) => chatDialects['openai-responses'].tap(frame));
};

describe('the last event of a response', () => {
  const event = 'event: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_1"}}';

  test('is its end, also without the blank line behind it', () => {
    expect(tapsOf(event)).toMatchObject([{ done: true }]);
  });

  test('is not read if it breaks off in the middle', () => {
    expect(tapsOf(event.slice(0, -5))).toEqual([undefined]);
  });
});

test('a summary of the conversation that streams is whole in a whole answer', () => {
  const { openReader, writeWhole } = chatDialects['anthropic-messages'];
  const reader = openReader();
  const summary = { content: 'so far', encrypted_content: 'sealed' };
  const events = [
    { type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: null } },
    { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', ...summary } },
    { type: 'content_block_stop', index: 0 },
  ].flatMap((event) => [...reader.read(writeFrame(JSON.stringify(event), event.type))]);
  expect(writeWhole(events)).toMatchObject({ content: [{ type: 'compaction', ...summary }] });
});

describe('a chat that fills in every field it has', () => {
  const message = {
    role: 'assistant',
    content: 'Sunny.',
    refusal: '',
    function_call: { name: '', arguments: '' },
    tool_calls: null,
    audio: { id: '', data: '', transcript: '', expires_at: 0 },
  };
  const told = (beside: object) =>
    chatDialects['openai-chat'].readWhole({
      id: 'c',
      choices: [{ index: 0, message: { ...message, ...beside }, finish_reason: 'stop' }],
    });

  test.each([
    ['a function', {}],
    ['a tool', { tool_calls: [{ index: 0, type: 'function', function: { name: '', arguments: '' } }] }],
  ])('has no calls with an empty name: %s', (_, beside) => {
    const events = told(beside);
    expect(events.filter(({ type }) => type.startsWith('tool-call'))).toEqual([]);
    expect(events.find(({ type }) => type === 'finish')).toMatchObject({ reason: 'stop' });
  });

  test.each([
    ['sound', {}],
    ['sound without fields', { audio: {} }],
    [
      'thoughts',
      { reasoning_content: '', reasoning: null, reasoning_details: [{ type: 'reasoning.text', text: '' }] },
    ],
    ['pictures and sources', { images: [{ type: 'image_url', image_url: { url: '' } }], annotations: [] }],
  ])('has only its text, and no empty %s', (_, beside) => {
    const types = told(beside).map(({ type }) => type);
    expect(types).toEqual(['start', 'text-delta', 'finish']);
  });
});
