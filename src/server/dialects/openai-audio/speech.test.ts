import { expect, test } from 'vitest';
import { openaiSpeech } from './speech.ts';

/** A minute of speech: about 900 letters. What its sound counts as at OpenAI (1250 tokens) and at Google (25 a second). */
const MINUTE = 'speaking '.repeat(100);

test.each([
  ['gpt-4o-mini-tts', 1250],
  ['gemini-3.8-flash-tts', 1500],
  ['google/gemini-3.8-flash-lite-tts', 1500],
])('speech of %s is held for and charged by its sound, which nobody reports', (model, minute) => {
  const body = { model, input: MINUTE, voice: 'Kore' };
  const { outputTokens = 0, inputTokens = 0 } = openaiSpeech.usageWithoutReport?.(body, {}) ?? {};
  expect(outputTokens).toBeGreaterThan(minute * 0.85);
  expect(outputTokens).toBeLessThanOrEqual(minute);
  expect(inputTokens).toBe(MINUTE.length / 4);
  const { maxOutputTokens = 0 } = openaiSpeech.facts(body);
  expect(maxOutputTokens).toBeGreaterThan(outputTokens * 2);
});

test('speech of models that are paid by the letter has no other price', () => {
  const body = { model: 'tts-1', input: MINUTE, voice: 'alloy' };
  expect(openaiSpeech.usageWithoutReport?.(body, {})).toMatchObject({ inputTokens: 900, outputTokens: 0 });
  expect(openaiSpeech.facts(body).maxOutputTokens).toBe(0);
});
