import { expect, test } from 'vitest';
import { cacheSurcharge, soldAsText } from './untold-parts.ts';

test('cached sound costs what its maker lists, of which a cache ratio that is set pays its part', () => {
  const surcharge = (set: number | undefined, cacheRatio?: number) =>
    cacheSurcharge(
      set,
      { audioCacheSurcharge: 0.3, ...(cacheRatio && { cacheRatio }) },
      'audioCacheSurcharge',
    );
  expect([surcharge(undefined, 0.5), surcharge(0.5, 0.5), surcharge(0.7, 0.5)]).toEqual([0.3, 0.3, 0.1]);
  expect([surcharge(0.9, 0.5), surcharge(0.8, 0.5), surcharge(1.1)]).toEqual([undefined, undefined, 0.2]);
  expect(cacheSurcharge(0.5, { cacheRatio: 0.5 }, 'imageCacheSurcharge')).toBeUndefined();
  expect(cacheSurcharge(0.5, undefined, 'audioCacheSurcharge')).toBeUndefined();
});

test('an unlisted model sells as text what has no ratio: spoken answers have one where sound in the prompt has', () => {
  const [heard, said, drawn] = ['audioInputTokens', 'audioOutputTokens', 'imageOutputTokens'] as const;
  expect(soldAsText(undefined, undefined)).toEqual([heard, said, drawn]);
  expect(soldAsText(undefined, { audioInput: 2 })).toEqual([drawn]);
  expect(soldAsText(undefined, { audioOutput: 2 })).toEqual([heard, drawn]);
  expect(soldAsText(undefined, { imageOutput: 2 })).toEqual([heard, said]);
  expect(soldAsText({}, undefined)).toEqual([]);
});
