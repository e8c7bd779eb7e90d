import { expect, test } from 'vitest';
import { noUsage } from '#core/chat/usage.ts';
import { Context } from './context.ts';

/** Bytes a second: telephone audio, and 24,000 samples of two bytes. */
const TELEPHONE = 8000;
const USUAL = 48_000;
const SECONDS = 600;

/** A piece of the caller's sound of so many bytes, as base64. */
const soundOf = (bytes: number): Buffer =>
  Buffer.from(`{"type":"input_audio_buffer.append","audio":"${'A'.repeat((bytes * 4) / 3)}"}`);

/** What the next answer may use, and what is counted for one of ten minutes, after ten minutes of the caller's sound. */
const soundTokens = (inputBytesPerSecond: number, outputBytesPerSecond: number) => {
  const context = new Context();
  context.session({ inputBytesPerSecond, outputBytesPerSecond });
  context.add(soundOf(inputBytesPerSecond * SECONDS));
  const { audioOutputTokens } = context.counted(outputBytesPerSecond * SECONDS, 0);
  // The few bytes around the sound are part of the estimate.
  return [Math.round(context.worst().audioInputTokens / 10) * 10, audioOutputTokens];
};

test('sound is as dear in the format of telephones, which has a sixth of the bytes', () => {
  const usual = soundTokens(USUAL, USUAL);
  expect(usual[0]).toBeGreaterThanOrEqual(10_000);
  expect(soundTokens(TELEPHONE, USUAL)).toEqual(usual);
  expect(soundTokens(USUAL, TELEPHONE)).toEqual(usual);
});

const usageOf = (inputTokens: number, outputTokens: number) => ({ ...noUsage, inputTokens, outputTokens });
const say = (message: object): Buffer => Buffer.from(JSON.stringify(message));
/** Some 5000 tokens, by the estimate for holds. */
const LONG = say({ type: 'conversation.item.create', item: { content: [{ text: 'word '.repeat(2000) }] } });

test.each([
  ['that reads only what it is given', { input: [] }],
  ['outside the conversation', { conversation: 'none' }],
])('an answer %s takes nothing from what the next one reads', (_, response) => {
  const context = new Context();
  context.begun();
  context.ended(usageOf(30_000, 100), undefined, true);
  context.add(LONG);
  const needed = context.worst().inputTokens;
  expect(needed).toBeGreaterThan(60_000 - 1);
  context.add(say({ type: 'response.create', response }));
  context.begun();
  context.ended(usageOf(20, 5), undefined, true);
  expect(context.worst().inputTokens).toBeGreaterThanOrEqual(needed);
  context.begun();
  context.ended(usageOf(35_200, 100), undefined, true);
  expect(context.worst()).toMatchObject({ inputTokens: 70_400 });
});

test('an answer that says it is no part of the conversation counts for nothing, and those beside it as usual', () => {
  const context = new Context();
  context.add(LONG);
  context.add(say({ type: 'response.create', response: { conversation: 'none' } }));
  const needed = context.worst().inputTokens;
  context.begun();
  context.ended(usageOf(40_000, 5), true, false);
  expect(context.worst().inputTokens).toBe(needed);
  context.ended(usageOf(2700, 100), false, false);
  expect(context.worst()).toMatchObject({ inputTokens: 5400 });
});

test('sound and pictures that came from a cache are held as what they cost if they are read anew', () => {
  const context = new Context();
  const cached = { cacheReadTokens: 9000, audioCacheReadTokens: 7000, imageCacheReadTokens: 1500 };
  const used = { ...usageOf(100, 10), ...cached, audioInputTokens: 300, imageInputTokens: 200 };
  context.ended({ ...used, audioOutputTokens: 2000 }, undefined, true);
  const read = { inputTokens: 700, audioInputTokens: 9300, imageInputTokens: 1700 };
  expect(context.worst()).toMatchObject(read);
  context.add(say({ type: 'response.create', response: { conversation: 'none' } }));
  context.ended(usageOf(20, 5), undefined, true);
  expect(context.worst()).toMatchObject({ audioInputTokens: 9300, imageInputTokens: 1700 });
});

test('sound that follows the wish for the format of telephones is counted in it before the upstream agrees', () => {
  const context = new Context();
  context.add(
    say({ type: 'session.update', session: { audio: { input: { format: { type: 'audio/pcmu' } } } } }),
  );
  context.add(soundOf(TELEPHONE * SECONDS));
  expect(context.worst().audioInputTokens).toBeGreaterThanOrEqual(10_000);
});

test('an answer in a format of its own is counted in it', () => {
  const context = new Context();
  const counted = () => context.counted(TELEPHONE * 60, 0).audioOutputTokens;
  context.begun({ inputBytesPerSecond: USUAL, outputBytesPerSecond: TELEPHONE });
  expect(counted()).toBe(834);
  context.begun();
  expect(counted()).toBe(139);
});
