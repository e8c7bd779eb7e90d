import { expect, test } from 'vitest';
import { AnswerEnds } from './answer-ends.ts';
import type { ChatEvent, FinishReason } from './event.ts';

const ending = (reason: FinishReason): ChatEvent => ({ type: 'finish', choice: 0, reason });
const after = (events: readonly ChatEvent[], reason: FinishReason): ChatEvent['type'] | undefined => {
  const ends = new AnswerEnds();
  return [...events, ending(reason)].flatMap((event) => ends.take(event)).at(-1)?.type;
};

const thought: ChatEvent = { type: 'reasoning-delta', choice: 0, text: 'hm' };
const own: ChatEvent = { type: 'opaque', choice: 0, extras: {} };
const word: ChatEvent = { type: 'text-delta', choice: 0, text: 'yes' };
const call: ChatEvent = { type: 'tool-call-start', choice: 0, index: 0, id: 'c', name: 'f' };

test('an empty answer that ends without a known reason is an error', () => {
  expect(after([], 'other')).toBe('error');
  expect(after([thought, own], 'pause')).toBe('error');
});

test('every other end stays as it is', () => {
  expect(after([word], 'other')).toBe('finish');
  expect(after([thought, call], 'pause')).toBe('finish');
  for (const reason of ['stop', 'length', 'content-filter', 'refusal', 'tool-calls'] as const)
    expect(after([], reason)).toBe('finish');
});

test('if one of several answers has text, none is an error', () => {
  expect(after([{ ...word, choice: 1 }], 'other')).toBe('finish');
});

const told = (...events: readonly ChatEvent[]): ChatEvent[] => {
  const ends = new AnswerEnds();
  return [...events.flatMap((event) => ends.take(event)), ...ends.missing()];
};
const second: ChatEvent = { ...call, index: 1, id: 'd' };
const says = (index: number, argumentsText: string): ChatEvent => ({
  type: 'tool-call-delta',
  choice: 0,
  index,
  argumentsText,
});

test('a tool call without arguments gets an empty object when its answer ends', () => {
  const events = [call, second, says(1, ''), says(1, '{"a":1}'), ending('tool-calls')];
  expect(told(...events)).toEqual([...events.slice(0, -1), says(0, '{}'), ending('tool-calls')]);
  expect(told(call)).toEqual([call, says(0, '{}'), ending('tool-calls')]);
});

test('a tool call that was cut off before its arguments gets none', () => {
  expect(told(call, ending('length'))).toEqual([call, ending('length')]);
});

test('an answer that stops with tool calls ends with reason tool-calls', () => {
  expect(told(call, says(0, '{}'), ending('stop')).at(-1)).toEqual(ending('tool-calls'));
  expect(told(word, ending('stop')).at(-1)).toEqual(ending('stop'));
});
