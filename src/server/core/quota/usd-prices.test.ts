import { expect, it } from 'vitest';
import { factorsOf } from './testing/price-factors.ts';
import { otherUsdPrices, usdPrices } from './usd-prices.ts';

const QUOTA_PER_UNIT = 500_000;
const gpt4o = factorsOf({ modelRatio: 1.25, completionRatio: 4, cacheRatio: 0.5 });

it('a prompt price is ratio × 2 × group ratio for a million tokens, a completion price that × completion ratio', () => {
  expect(usdPrices(gpt4o, QUOTA_PER_UNIT)).toEqual({ prompt: 2.5, completion: 10, cached: 1.25 });
  expect(usdPrices({ ...gpt4o, groupRatio: 0.8 }, QUOTA_PER_UNIT)).toEqual({
    prompt: 2,
    completion: 8,
    cached: 1,
  });
  expect(usdPrices({ ...gpt4o, modelRatio: 0.075, groupRatio: 1.1 }, QUOTA_PER_UNIT)).toMatchObject({
    prompt: 0.165,
    completion: 0.66,
  });
});

it('a fixed price is price × group ratio', () => {
  expect(usdPrices(factorsOf({ modelPrice: 0.1, groupRatio: 3 }), QUOTA_PER_UNIT)).toEqual({ call: 0.3 });
});

it('what costs something else than words is told beside them, and nothing else', () => {
  const plain = { ...gpt4o, audioCompletionRatio: 4, imageCompletionRatio: 4 };
  expect(otherUsdPrices(plain, QUOTA_PER_UNIT)).toEqual({});
  const all = {
    ...plain,
    writesCache: true,
    createCacheRatio: 1.25,
    audioCacheSurcharge: 0.5,
    imageCacheSurcharge: 0.1,
    imageRatio: 2,
    imageCompletionRatio: 10,
    audioRatio: 8,
    audioCompletionRatio: 2,
    groupRatio: 0.5,
  };
  expect(otherUsdPrices(all, QUOTA_PER_UNIT)).toEqual({
    written_hour: 2.5,
    cached_audio: 1.25,
    cached_image: 0.75,
    audio_input: 10,
    audio_output: 20,
    image_input: 2.5,
    image_output: 12.5,
  });
  expect(otherUsdPrices(factorsOf({ modelPrice: 0.1 }), QUOTA_PER_UNIT)).toEqual({});
});

it('dollars are what the charged units are worth where the operator sells another number of them for one', () => {
  expect(usdPrices(gpt4o, 1_000_000)).toEqual({ prompt: 1.25, completion: 5, cached: 0.625 });
  expect(usdPrices(factorsOf({ modelPrice: 0.1 }), 1_000_000)).toEqual({ call: 0.1 });
  const free = factorsOf({ modelPrice: 0 });
  expect([usdPrices(free, 1_000_000), otherUsdPrices(free, 1_000_000)]).toEqual([{ call: 0 }, {}]);
});
