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

test('a film that was made is counted as pictures are, not as words', () => {
  const candidatesTokensDetails = [{ modality: 'VIDEO', tokenCount: 1290 }];
  expect(readUsage({ ...metadata, candidatesTokensDetails })).toEqual(readUsage(metadata));
});

test.each<[string, object, object]>([
  [
    'sound that the prompt does not count',
    {
      promptTokenCount: 0,
      candidatesTokenCount: 4,
      promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 500 }],
    },
    { audioInputTokens: 500, outputTokens: 4 },
  ],
  [
    'nothing but the parts of a prompt',
    {
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 7 },
        { modality: 'IMAGE', tokenCount: 258 },
      ],
    },
    { inputTokens: 7, imageInputTokens: 258 },
  ],
  [
    'a picture that the answer does not count',
    {
      promptTokenCount: 10,
      candidatesTokenCount: 0,
      totalTokenCount: 10,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
    },
    { inputTokens: 10, imageOutputTokens: 1290 },
  ],
  [
    'an answer that only the total counts, beside its thoughts',
    { promptTokenCount: 66, thoughtsTokenCount: 78, totalTokenCount: 165 },
    { inputTokens: 66, outputTokens: 99, reasoningTokens: 78 },
  ],
  [
    'an answer that has its thoughts in it, as the total says, once',
    { promptTokenCount: 10, candidatesTokenCount: 50, thoughtsTokenCount: 30, totalTokenCount: 60 },
    { inputTokens: 10, outputTokens: 50, reasoningTokens: 30 },
  ],
  [
    'more cached tokens than the prompt has',
    { promptTokenCount: 10, candidatesTokenCount: 1, cachedContentTokenCount: 50 },
    { inputTokens: 10, cacheReadTokens: 50, outputTokens: 1 },
  ],
  [
    'a prompt with more cached tokens than it has, but whole as the total says, no more than once',
    {
      promptTokenCount: 10,
      candidatesTokenCount: 1,
      thoughtsTokenCount: 4,
      cachedContentTokenCount: 50,
      totalTokenCount: 15,
    },
    { cacheReadTokens: 10, outputTokens: 5, reasoningTokens: 4 },
  ],
  [
    'sound and pictures that were cached only as far as the cache had tokens',
    {
      promptTokenCount: 1000,
      candidatesTokenCount: 1,
      cachedContentTokenCount: 100,
      promptTokensDetails: [
        { modality: 'AUDIO', tokenCount: 900 },
        { modality: 'IMAGE', tokenCount: 100 },
      ],
      cacheTokensDetails: [
        { modality: 'AUDIO', tokenCount: 80 },
        { modality: 'IMAGE', tokenCount: 90 },
      ],
    },
    {
      cacheReadTokens: 100,
      audioCacheReadTokens: 80,
      imageCacheReadTokens: 20,
      audioInputTokens: 820,
      imageInputTokens: 80,
      outputTokens: 1,
    },
  ],
  [
    'what was cached of a kind, up to what the prompt has of it',
    {
      promptTokenCount: 50,
      candidatesTokenCount: 1,
      promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 10 }],
      cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 30 }],
    },
    { inputTokens: 20, cacheReadTokens: 30, audioCacheReadTokens: 10, outputTokens: 1 },
  ],
])('%s is paid', (_, wire, expected) => {
  expect(readUsage(wire)).toEqual({ ...noUsage, ...expected });
});

test('cached sound is told as a part of the prompt and of what was cached, and read again as it was', () => {
  const usage = {
    ...noUsage,
    inputTokens: 298,
    audioInputTokens: 36,
    cacheReadTokens: 17_379,
    audioCacheReadTokens: 1_881,
    outputTokens: 889,
  };
  const written = writeUsage(usage);
  expect(written['promptTokensDetails']).toEqual([
    { modality: 'TEXT', tokenCount: 15_796 },
    { modality: 'AUDIO', tokenCount: 1_917 },
  ]);
  expect(written['cacheTokensDetails']).toEqual([
    { modality: 'TEXT', tokenCount: 15_498 },
    { modality: 'AUDIO', tokenCount: 1_881 },
  ]);
  expect(readUsage(written)).toEqual(usage);
});
