import { expect, test } from 'vitest';
import type { Usage } from '#core/chat/usage.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import { writeFrame } from '../../dialects/sse.ts';
import { newMeter, note, noteFrame } from './meter.ts';

/** An answer of several choices whose usage stands in its choices is charged for one prompt and all it said. */

const chat = chatDialects['openai-chat'];

const reportedOf = (...chunks: readonly object[]): Usage | undefined => {
  const meter = newMeter();
  for (const chunk of chunks) {
    const frame = writeFrame(JSON.stringify(chunk), '');
    noteFrame(meter, frame, chat.tap(frame));
  }
  return meter.reported;
};

/** Where Moonshot tells the usage of a stream: in the last piece of each choice. */
const endOfChoice = (index: number, usage: object): object => ({
  id: 'a',
  choices: [{ index, delta: {}, finish_reason: 'stop', usage }],
});
const ofChoice = (completion: number, cached = 0): object => ({
  prompt_tokens: 1000,
  completion_tokens: completion,
  cached_tokens: cached,
});

test('usage of several choices counts the prompt once and all their output', () => {
  const ends = [endOfChoice(0, ofChoice(40, 600)), endOfChoice(2, ofChoice(5)), endOfChoice(1, ofChoice(70))];
  expect(reportedOf(...ends)).toMatchObject({
    inputTokens: 400,
    cacheReadTokens: 600,
    outputTokens: 115,
  });
});

test('usage of several choices counts a repeated report once', () => {
  const ends = [ofChoice(1), ofChoice(40), ofChoice(40)].map((usage) => endOfChoice(0, usage));
  expect(reportedOf(...ends)).toMatchObject({
    inputTokens: 1000,
    outputTokens: 40,
  });
});

test('usage of several choices is replaced by the usage of the whole answer, even if that is less', () => {
  const ends = [endOfChoice(0, ofChoice(40)), endOfChoice(1, ofChoice(70))];
  const whole = { id: 'a', choices: [], usage: ofChoice(109) };
  expect(reportedOf(...ends, whole)).toMatchObject({
    inputTokens: 1000,
    outputTokens: 109,
  });
});

test('usage of several choices is one sum in an answer that is not streamed', () => {
  const choices = [ofChoice(40), ofChoice(70)].map((usage, index) => ({ index, message: {}, usage }));
  const meter = newMeter();
  note(meter, chat.tapWhole({ id: 'a', choices }));
  expect(meter.reported).toMatchObject({ inputTokens: 1000, outputTokens: 110 });
});
