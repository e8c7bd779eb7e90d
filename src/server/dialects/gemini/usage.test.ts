import { expect, test } from 'vitest';
import { noUsage } from '#core/chat/usage.ts';
import { readUsage, writeUsage } from './usage.ts';

/** An answer of words and a picture (ai.google.dev/gemini-api/docs/image-generation: a picture is 1290 tokens). */
const metadata = {
  promptTokenCount: 10,
  candidatesTokenCount: 1300,
  totalTokenCount: 1360,
  thoughtsTokenCount: 50,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 10 }],
  candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
};

test('tokens of pictures that were drawn are apart from those of words and thoughts', () => {
  const usage = readUsage(metadata);
  expect(usage).toEqual({
    ...noUsage,
    inputTokens: 10,
    outputTokens: 60,
    imageOutputTokens: 1290,
    reasoningTokens: 50,
  });
  expect(readUsage(writeUsage(usage ?? noUsage))).toEqual(usage);
});
