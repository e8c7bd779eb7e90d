import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noUsage } from '#core/chat/usage.ts';
import { factorsOf } from '#core/quota/testing/price-factors.ts';
import { quotaOf, priceFrom } from '#core/quota/price.ts';
import { tapMessage } from '../../dialects/openai-realtime/openai-realtime.ts';
import { plainWires } from '../../dialects/plain-wires.ts';
import { tellingFormats } from '../testing/telling-formats.ts';
import type { Used } from '../testing/used-tokens.ts';
import { chargeOf, newMeter, note } from './meter.ts';

/**
 * Whatever a call used, its upstream tells it in the words of its format, as makers' references have them. What is charged is
 * what was used, each token once and at its own price.
 */

const ratio = fc.constantFrom(0.1, 0.35, 1, 1.25, 3.333333333333, 8, 40);
const factors = fc.record({
  modelRatio: ratio,
  completionRatio: ratio,
  cacheRatio: ratio,
  createCacheRatio: ratio,
  audioCacheSurcharge: ratio,
  imageCacheSurcharge: ratio,
  imageRatio: ratio,
  audioRatio: ratio,
  audioCompletionRatio: ratio,
  imageCompletionRatio: ratio,
});
type Factors = typeof factors extends fc.Arbitrary<infer One> ? One : never;

/** The rule of docs/billing.md; ratios have at most twelve places. */
const worked = (used: Used, of: Factors): number => {
  const exact = (value: number): bigint => BigInt(Math.round(value * 1e12));
  const times = (...factors: readonly number[]): bigint =>
    factors.reduce((product, factor) => product * exact(factor), 1n) *
    10n ** BigInt(12 * (2 - factors.length));
  const sum =
    BigInt(used.inputTokens) * times() +
    BigInt(used.cacheReadTokens) * times(of.cacheRatio) +
    BigInt(used.audioCacheReadTokens) * times(of.audioCacheSurcharge) +
    BigInt(used.imageCacheReadTokens) * times(of.imageCacheSurcharge) +
    BigInt(used.cacheWrite5mTokens) * times(of.createCacheRatio) +
    BigInt(used.cacheWrite1hTokens) * times(of.createCacheRatio, 1.6) +
    BigInt(used.imageInputTokens) * times(of.imageRatio) +
    BigInt(used.audioInputTokens) * times(of.audioRatio) +
    BigInt(used.outputTokens) * times(of.completionRatio) +
    BigInt(used.audioOutputTokens) * times(of.audioRatio, of.audioCompletionRatio) +
    BigInt(used.imageOutputTokens) * times(of.imageCompletionRatio);
  const amount = sum * exact(of.modelRatio);
  const one = 10n ** 36n;
  return Math.max(1, Number((2n * amount + one) / (2n * one)));
};

it.each(tellingFormats)(
  '$name: what was used is charged, each token once and at its price',
  ({ used: of, told }) => {
    fc.assert(
      fc.property(of, factors, (used, factor) => {
        const meter = newMeter();
        for (const tapped of told(used)) if (tapped !== undefined) note(meter, { ...tapped, content: true });
        meter.finished = true;
        const charge = chargeOf(meter, { inputTokensEstimate: 1_000_000 });
        expect(charge).toEqual({ action: 'settle', usage: { ...used, estimated: false } });
        const usage = charge.action === 'settle' ? charge.usage : noUsage;
        const price = priceFrom(factorsOf({ ...factor, groupRatio: 1 }), 500_000);
        expect(quotaOf(price, usage)).toBe(worked(used, factor));
      }),
      { numRuns: 60 },
    );
  },
);

it.each([0.4, 59.9, 60, 61, 3600.2])('a transcript of %d seconds is charged by seconds begun', (seconds) => {
  const tapped = plainWires.transcriptions.tapWhole({ text: '', usage: { type: 'duration', seconds } });
  expect(tapped.usage?.audioInputTokens).toBe(Math.round((Math.ceil(seconds) * 1000) / 60));
});

it('pictures that a conversation has cached are charged as cached, and not as pictures again', () => {
  const usage = {
    input_tokens: 100,
    output_tokens: 0,
    input_token_details: {
      text_tokens: 20,
      image_tokens: 80,
      audio_tokens: 0,
      cached_tokens: 70,
      cached_tokens_details: { text_tokens: 10, image_tokens: 60, audio_tokens: 0 },
    },
  };
  const done = { type: 'response.done', response: { id: 'r', usage } };
  expect(tapMessage(Buffer.from(JSON.stringify(done)))?.done?.usage).toEqual({
    ...noUsage,
    inputTokens: 10,
    cacheReadTokens: 70,
    imageCacheReadTokens: 60,
    imageInputTokens: 20,
  });
});
