import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelDimensions } from '#contract/options/price-dimensions.ts';
import { noUsage } from '../chat/usage.ts';
import { askedMedia } from './asked-media.ts';
import { priceOfMedia } from './media-price.ts';
import { receiptOf } from './price-steps.ts';
import { quotaAt } from './price-variants.ts';
import { priceFrom, quotaOf } from './price.ts';
import { factorsOf } from './testing/price-factors.ts';

/** Ten cents a second at 720p, in a group of half price. */
const media = modelDimensions.parse({
  media: { seconds: { usual: 4 }, resolutions: { '480p': 0.5, '720p': 1, '1080p': 2.5, '1792x1024': 3 } },
});
const price = priceFrom(
  factorsOf({ modelRatio: -1, modelPrice: 0.1, groupRatio: 0.5, dimensions: media }),
  500_000,
);
const unitsOf = (body: object): number | undefined =>
  quotaOf(priceOfMedia(price, body as Record<string, unknown>), noUsage);

describe('seconds and resolution of a price per call', () => {
  test.each([
    ['as a video is asked for', { seconds: 8, resolution: '720p' }, 200_000],
    ['as text', { seconds: '8', size: '1792x1024' }, 600_000],
    ['with its unit, in an object', { parameters: { duration: '5s', resolution: '1080P' } }, 312_500],
    ['in extra_body, with another sign', { extra_body: { duration: 10, size: '1792*1024' } }, 750_000],
    ['in another case', { Video_Length: 3, RESOLUTION: '720P' }, 75_000],
    ['part of a second', { duration: 0.5, resolution: '480p' }, 6250],
    ['not said: the usual seconds, the dearest resolution', {}, 300_000],
    ['a word without a price: the dearest', { seconds: 4, resolution: '8k' }, 300_000],
    ['nothing is not said', { seconds: 0, duration: '', length: null, resolution: 5 }, 300_000],
    [
      'several words: the longest, the dearest',
      { seconds: 2, duration: 6, size: '480p', quality: '720p' },
      150_000,
    ],
    ['a dear word nobody knows beside a cheap one', { seconds: 4, resolution: '720p', size: '4k' }, 300_000],
    [
      'what is no word beside a cheap one',
      { seconds: 4, resolution: '720p', size: { as: 'large' } },
      300_000,
    ],
    [
      'a word too odd to be read beside a cheap one',
      { seconds: 4, resolution: '720p', size: '4K (UHD)' },
      300_000,
    ],
    [
      'sides that nobody knows beside a cheap one',
      { seconds: 4, resolution: '480p', width: 3840, height: 2160 },
      300_000,
    ],
    [
      'words that say nothing beside one',
      { seconds: 4, resolution: '480p', quality: 'standard', size: '16:9' },
      50_000,
    ],
    ['the sides of 720p', { seconds: 4, parameters: { width: 720, height: 1280 } }, 100_000],
    ['720 lines that are far too long', { seconds: 4, size: '3840x720' }, 300_000],
    [
      'a length deep in other objects',
      { seconds: 1, extra_body: { parameters: { duration: 9 } }, size: '480p' },
      112_500,
    ],
    [
      'a length in a list',
      { seconds: 1, instances: [{ videoConfig: { durationSeconds: 9 } }], size: '480p' },
      112_500,
    ],
    ['milliseconds', { duration_ms: 9000, size: '480p' }, 112_500],
    ['frames at the rate they name', { num_frames: 120, fps: 20, seconds: 1, size: '480p' }, 75_000],
    ['frames at a rate nobody has', { num_frames: 240, fps: 1000, size: '480p' }, 125_000],
    ['frames without a rate, at the slowest', { frames: 80, size: '480p' }, 125_000],
    ['pictures that are called frames', { frames: ['https://a.example'], seconds: 4, size: '480p' }, 50_000],
    ['flags in a prompt', { prompt: 'a cat --dur 10 --rs 1080p', resolution: '480p', seconds: 1 }, 625_000],
    [
      'flags in a message',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'x --duration=8 --resolution 480p' }] }] },
      100_000,
    ],
    [
      'a prompt that tells of a duration',
      { prompt: 'the --duration of a film', seconds: 4, size: '480p' },
      50_000,
    ],
    [
      'the sides of a picture sent along',
      { image: { width: 9000, height: 10 }, seconds: 4, size: '480p' },
      50_000,
    ],
    [
      'a schema',
      { response_format: { properties: { duration: { type: 'x' } } }, seconds: 4, size: '480p' },
      50_000,
    ],
  ])('%s', (_, body, units) => expect(unitsOf(body)).toBe(units));

  test.each([
    { seconds: -1 },
    { duration: 'ten' },
    { duration: Number.NaN },
    { duration: { seconds: 'many' } },
    { duration: [10] },
    { parameters: { duration: true } },
    { num_frames: 'all' },
    { prompt: 'a cat --dur -1' },
  ])('%j: a length that cannot be read is refused', (body) => {
    expect(() => unitsOf({ ...body, resolution: '480p' })).toThrow(/must be a number of seconds or frames/);
  });

  test('a length that cannot be read is no matter where seconds have no price', () => {
    const flat = modelDimensions.parse({ media: { resolutions: { '720p': 1, '1080p': 2 } } });
    const own = priceFrom(factorsOf({ modelRatio: -1, modelPrice: 0.1, dimensions: flat }), 500_000);
    expect(quotaOf(priceOfMedia(own, { duration: 'ten', resolution: '720p' }), noUsage)).toBe(50_000);
  });

  test('nothing else in the request makes them cheaper', () => {
    const value = fc.oneof(
      fc.constantFrom('480p', '720p', '1080p', '4k', 'auto', 8, 3840),
      fc.string(),
      fc.nat(100),
    );
    const name = fc.constantFrom(
      'size',
      'resolution',
      'quality',
      'duration',
      'frames',
      'fps',
      'prompt',
      'extra',
    );
    const priceOrRefused = (body: object): number => {
      try {
        return unitsOf(body) ?? Infinity;
      } catch {
        return Infinity;
      }
    };
    fc.assert(
      fc.property(name, value, name, value, (first, one, second, other) => {
        const said = { [first]: one, seconds: 4, resolution: '720p' };
        const more = { ...said, extra_body: { [second]: other } };
        // A rate says how long the frames last, so that it may make them shorter.
        fc.pre(second !== 'fps' || first !== 'frames');
        expect(priceOrRefused(more)).toBeGreaterThanOrEqual(priceOrRefused(said));
      }),
      { numRuns: 2000 },
    );
  });

  test('are not made cheaper by earlier words', () => {
    const decoys = { quality: 'a', size: 'b', Size: 'c', video_size: '480p', size_: 'd' };
    expect(unitsOf({ seconds: 4, ...decoys, parameters: { resolution: '1080p' } })).toBe(300_000);
    expect(unitsOf({ seconds: 4, parameters: { resolution: '1080p', ...decoys } })).toBe(300_000);
  });

  test('have a price of their own for what is not in the table', () => {
    const others = modelDimensions.parse({ media: { resolutions: { '720p': 1, other: 1.5 } } });
    const own = priceFrom(factorsOf({ modelRatio: -1, modelPrice: 0.1, dimensions: others }), 500_000);
    expect(quotaOf(priceOfMedia(own, { resolution: '4k', seconds: 90 }), noUsage)).toBe(75_000);
  });

  test('stand in the receipt, beside the price of a second and the group', () => {
    const { price_steps, price_units } = receiptOf(
      priceOfMedia(price, { seconds: 8, resolution: '1080p' }),
      noUsage,
    );
    expect(price_units).toBe(500_000);
    expect(price_steps).toEqual([
      {
        bucket: 'call',
        count: 1,
        factors: {
          perCall: '0.1',
          quotaPerUnit: '500000',
          seconds: '8',
          resolution: '2.5',
          groupRatio: '0.5',
        },
        unitsEach: '500000',
        units: '500000',
      },
    ]);
  });

  test('change nothing of a price by tokens, nor of one without them', () => {
    const plain = priceFrom(factorsOf({ modelRatio: -1, modelPrice: 0.1 }), 500_000);
    expect(priceOfMedia(plain, { seconds: 8 })).toBe(plain);
    const tokens = priceFrom(factorsOf({ dimensions: media }), 500_000);
    expect(quotaAt(priceOfMedia(tokens, { seconds: 8 }), { ...noUsage, inputTokens: 100 })).toBe(100);
  });

  test('never cost less for more seconds, whatever was sent', () => {
    const word = fc.oneof(fc.constantFrom('480p', '720p', '1080p', '4k'), fc.string());
    fc.assert(
      fc.property(fc.nat(40_000), fc.nat(100), word, (seconds, more, resolution) => {
        const [short = 0, long = 0] = [seconds + 1, seconds + 1 + more].map((each) =>
          unitsOf({ seconds: each, resolution }),
        );
        expect(long).toBeGreaterThanOrEqual(short);
      }),
    );
    fc.assert(
      fc.property(fc.object(), (body) => {
        expect(askedMedia(body, undefined, false).words.length).toBeLessThanOrEqual(4);
      }),
    );
  });
});

test.each([
  { media: { seconds: { usual: 0 } } },
  { media: { seconds: { usual: 1e9 } } },
  { media: { resolutions: { '720p': -1 } } },
  { media: { resolutions: { 'a b': 1 } } },
  { media: { resolutions: {} } },
  { media: { minutes: 1 } },
])('%j is no price', (wrong) => expect(modelDimensions.safeParse(wrong).success).toBe(false));
