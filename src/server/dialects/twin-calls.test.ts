import { describe, expect, test } from 'vitest';
import { chatDialects } from './chat-dialects.ts';
import { writeFrame } from './sse.ts';

/** Chats of upstreams that give several calls of one answer the same id, and perhaps the same index. */

const { openReader, readWhole } = chatDialects['openai-chat'];
const called = (city: string, beside = {}) => ({
  id: 'call_0',
  type: 'function',
  function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
  ...beside,
});
const answer = (choice: object) => ({ id: 'c1', model: 'm', choices: [{ index: 0, ...choice }] });
const whole = (toolCalls: readonly object[]) =>
  readWhole(answer({ message: { role: 'assistant', tool_calls: toolCalls }, finish_reason: 'tool_calls' }));
const streamed = (...pieces: readonly (readonly object[])[]) => {
  const reader = openReader();
  return pieces.flatMap((toolCalls) => [
    ...reader.read(writeFrame(JSON.stringify(answer({ delta: { tool_calls: toolCalls } })))),
  ]);
};
/** The arguments of each call of the answer. */
const argumentsOf = (events: ReturnType<typeof whole>): string[] => {
  const texts: string[] = [];
  for (const event of events) {
    if (event.type === 'tool-call-start') texts[event.index] = '';
    if (event.type === 'tool-call-delta') texts[event.index] += event.argumentsText;
  }
  return texts;
};

describe('two tool calls with one id', () => {
  const both = ['{"city":"Paris"}', '{"city":"Oslo"}'];

  test.each([
    ['without an index', {}],
    ['of the same index', { index: 0 }],
  ])('%s are two calls, whole and in one piece of a stream', (_, beside) => {
    const calls = [called('Paris', beside), called('Oslo', beside)];
    expect(argumentsOf(whole(calls))).toEqual(both);
    expect(argumentsOf(streamed(calls))).toEqual(both);
  });

  test('that only repeats id and name with each piece are one call', () => {
    const piece = (text: string) => ({ ...called('x'), function: { name: 'get_weather', arguments: text } });
    expect(argumentsOf(streamed([piece('{"city":')], [piece('"Paris"}')]))).toEqual(['{"city":"Paris"}']);
  });
});
