import { expect, test } from 'vitest';
import { loadPriceCatalogue } from './price-catalogue.ts';

const catalogue = await loadPriceCatalogue();

test.each([
  ['gpt-4o', { modelRatio: 1.25, completionRatio: 4, cacheRatio: 0.5 }],
  ['gpt-4o-mini', { modelRatio: 0.075, completionRatio: 4, cacheRatio: 0.5 }],
  [
    'claude-3-5-sonnet-20241022',
    { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1, createCacheRatio: 1.25 },
  ],
  ['text-embedding-3-small', { modelRatio: 0.01, completionRatio: 0 }],
  ['text-embedding-ada-002', { modelRatio: 0.05, completionRatio: 0 }],
  ['omni-moderation-latest', { modelRatio: 0 }],
  // 15 and 30 dollars for a million characters; 0.006 for a minute, which counts as 1000 tokens.
  ['tts-1', { modelRatio: 7.5 }],
  ['tts-1-hd', { modelRatio: 15 }],
  ['whisper-1', { modelRatio: 3 }],
  ['sonar-pro', { modelRatio: 1.5, completionRatio: 5 }],
  ['amazon.nova-lite-v1:0', { modelRatio: 0.03, completionRatio: 4 }],
  ['gemini-2.5-pro', { modelRatio: 0.625, completionRatio: 8, cacheRatio: 0.1 }],
  ['gemini-2.5-flash-image', { modelRatio: 0.15, imageCompletionRatio: 100 }],
  ['gpt-image-1.5', { modelRatio: 2.5, completionRatio: 2, imageRatio: 1.6, imageCompletionRatio: 6.4 }],
])('knows the list price of %s as ratios', (model, price) => {
  expect(catalogue.find(model)).toMatchObject(price);
});

test('does not know a model nobody sells', () => {
  expect(catalogue.find('no-such-model-at-all')).toBeUndefined();
});
