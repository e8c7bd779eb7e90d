import fc from 'fast-check';
import { expect, it } from 'vitest';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import { priceDimensions } from '#contract/options/price-dimensions.ts';
import { noUsage } from '../chat/usage.ts';
import { priceAt, quotaAt } from '../quota/price-variants.ts';
import { priceOfMedia } from '../quota/media-price.ts';
import { findPrice, timesPerCall } from '../quota/price.ts';
import { amountOf, type Book, type Call, whole } from './testing/price-oracle.ts';

const factor = fc.constantFrom(
  0,
  1e-12,
  0.000_000_3,
  0.1,
  0.35,
  0.5,
  1,
  1.1,
  1.25,
  2,
  3.333333333333,
  37.5,
  1000,
);
const word = fc.constantFrom('standard', 'priority', 'flex', 'batch', 'other', 'scale');
const parts = fc.record(
  { input: factor, output: factor, cacheRead: factor, cacheWrite: factor, call: factor },
  { requiredKeys: [] },
);
const shares = fc.oneof(factor, parts);
const tier = fc.oneof(
  factor,
  fc.tuple(parts, fc.constantFrom('both', 'step')).map(([one, longContext]) => ({ ...one, longContext })),
);
const context = fc
  .record({
    counts: fc.constantFrom('prompt', 'without_cache_reads', 'without_cache'),
    charges: fc.constantFrom('call', 'excess'),
    starts: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 4 }),
    isFrom: fc.boolean(),
    each: fc.tuple(parts, parts, parts, parts),
  })
  .map(({ starts, each, isFrom, ...rest }) => ({
    ...rest,
    steps: starts
      .toSorted((one, other) => one - other)
      .map((start, at) => {
        const { output, call, ...prompt } = each[at] ?? {};
        const paid =
          rest.charges === 'call'
            ? { ...(output !== undefined && { output }), ...(call !== undefined && { call }) }
            : {};
        return { ...(isFrom ? { from: start } : { above: start }), ...prompt, ...paid };
      }),
  }));
const dimensions = fc
  .record(
    {
      context,
      tiers: fc.dictionary(word, tier),
      speeds: fc.dictionary(word, shares),
      places: fc.dictionary(word, shares),
      ratios: fc.record(
        { oneHour: factor, imageInput: factor, imageOutput: factor, audioInput: factor, audioOutput: factor },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  )
  .map((one) => priceDimensions.parse({ m: one })['m'] ?? {});
const media = fc.record(
  {
    seconds: fc.constantFrom(0.25, 5, 8).map((usual) => ({ usual })),
    resolutions: fc.dictionary(fc.constantFrom('480p', '720p', '1080p', 'other'), factor, { minKeys: 1 }),
  },
  { requiredKeys: [] },
);
const some = fc.option(factor, { nil: undefined });
const books: fc.Arbitrary<Book> = fc
  .record({
    ratio: factor,
    completion: some,
    cache: some,
    created: some,
    perCall: fc.option(factor, { freq: 3, nil: undefined }),
    group: factor,
    special: some,
    perUnit: fc.constantFrom(1, 7, 500_000, 333_333),
    searches: fc.constantFrom(0, 0.0004, 10, 25),
    dimensions,
    media: fc.option(media, { nil: undefined }),
  })
  .map(({ media: ofMedia, ...book }) =>
    // Only a price per call has them.
    book.perCall === undefined || ofMedia === undefined
      ? book
      : { ...book, dimensions: { ...book.dimensions, media: ofMedia } },
  );
const spoken = fc.constantFrom('standard', 'priority', 'flex', 'unheard', 'scale', 'constructor');
const terms = fc.record({ tier: spoken, speed: spoken, place: spoken }, { requiredKeys: [] });
/** Few tokens: at, before and behind the steps. */
const count = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(62));
const calls: fc.Arbitrary<Call> = fc
  .record({
    counts: fc.tuple(count, count, count, count, count, count, count, count, count),
    searches: fc.nat(3),
    sent: terms,
    served: fc.option(terms, { nil: undefined }),
    isSpecial: fc.boolean(),
    answers: fc.constantFrom(1, 3, 0.4),
    seconds: fc.constantFrom(undefined, 1, 4.125, 10, 3600),
    resolution: fc.constantFrom(undefined, '480p', '720p', '1080p', '8k', 'auto', '16:9', 'constructor'),
  })
  .map(({ counts, searches, ...rest }) => {
    const [
      inputTokens,
      cacheReadTokens,
      cacheWrite5mTokens,
      cacheWrite1hTokens,
      imageInputTokens,
      audioInputTokens,
    ] = counts;
    const [, , , , , , outputTokens, audioOutputTokens, imageOutputTokens] = counts;
    const prompt = {
      inputTokens,
      cacheReadTokens,
      cacheWrite5mTokens,
      cacheWrite1hTokens,
      imageInputTokens,
      audioInputTokens,
    };
    const usage = { ...noUsage, ...prompt, outputTokens, audioOutputTokens, imageOutputTokens };
    return { ...rest, usage: searches === 0 ? usage : { ...usage, toolCalls: { web_search: searches } } };
  });

const optionsOf = (book: Book): OptionValues => {
  const table = (value: number | undefined): Record<string, number> =>
    value === undefined ? {} : { m: value };
  return {
    ...initialOptions,
    ModelRatio: table(book.ratio),
    ModelPrice: table(book.perCall),
    CompletionRatio: table(book.completion),
    CacheRatio: table(book.cache),
    CreateCacheRatio: table(book.created),
    GroupRatio: { g: book.group },
    GroupGroupRatio: book.special === undefined ? {} : { vip: { g: book.special } },
    'tool_price_setting.prices': { web_search: book.searches },
    QuotaPerUnit: book.perUnit,
    PriceDimensions: { m: book.dimensions },
  };
};

it('a charge is what the documents say, whatever the price depends on and whatever the call has used', () => {
  let dear = 0;
  fc.assert(
    fc.property(books, calls, (book, call) => {
      const found = findPrice(
        { options: optionsOf(book), catalogue: { find: () => undefined } },
        'm',
        call.isSpecial ? 'vip' : 'g',
        'g',
      );
      if (found === undefined) throw new Error('no price');
      const { seconds, resolution } = call;
      const price = priceAt(priceOfMedia(timesPerCall(found, call.answers), { seconds, resolution }), 0);
      const expected = whole(amountOf(book, call));
      if (expected !== 0) dear += 1;
      expect(quotaAt(price, call.usage, { sent: call.sent, served: call.served })).toBe(expected);
    }),
    { numRuns: 400 },
  );
  expect(dear).toBeGreaterThan(100);
});
