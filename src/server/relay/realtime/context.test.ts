import { expect, test } from 'vitest';
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
