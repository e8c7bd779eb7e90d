import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { optionTable } from '#contract/options.ts';
import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import { noUsage, promptTokens, type Usage } from '../chat/usage.ts';
import { holdFor } from './estimate.ts';
import { receiptOfAll } from './price-steps.ts';
import { ceilingOf, portionsOf, priceAt, quotaAt } from './price-variants.ts';
import type { Service } from './served-terms.ts';
import { priceFrom } from './price.ts';
import type { ServiceTerms } from './service-terms.ts';
import { factorsOf } from './testing/price-factors.ts';

const PER_UNIT = optionTable.QuotaPerUnit.initial;
const NOON = Date.UTC(2026, 10, 23, 12);

const priceWith = (dimensions: PriceDimensions) =>
  priceFrom(factorsOf({ completionRatio: 4, cacheRatio: 0.1, dimensions }), PER_UNIT);

const cost = (dimensions: PriceDimensions, usage: Partial<Usage>, service: Service = {}, atMs = NOON) =>
  quotaAt(priceAt(priceWith(dimensions), atMs), { ...noUsage, ...usage }, service);

const long = (charges: 'call' | 'excess', counts: 'prompt' | 'without_cache_reads' = 'prompt') => ({
  context: {
    counts,
    charges,
    steps: [{ above: 272_000, input: 2, ...(charges === 'call' && { output: 1.5 }) }],
  },
});

describe('a long prompt', () => {
  test('costs the step from the first token beyond its threshold, the whole call', () => {
    expect(cost(long('call'), { inputTokens: 272_000, outputTokens: 100 })).toBe(272_400);
    expect(cost(long('call'), { inputTokens: 272_001, outputTokens: 100 })).toBe(544_602);
  });

  test('costs a step that begins at its threshold from there', () => {
    const from: PriceDimensions = {
      context: { counts: 'prompt', charges: 'call', steps: [{ from: 272_000, input: 2 }] },
    };
    expect(cost(from, { inputTokens: 271_999 })).toBe(271_999);
    expect(cost(from, { inputTokens: 272_000 })).toBe(544_000);
  });

  test('is counted with what the cache had, unless that is left out', () => {
    const usage = { inputTokens: 2001, cacheReadTokens: 270_000 };
    expect(cost(long('call'), usage)).toBe(2 * (2001 + 27_000));
    expect(cost(long('call', 'without_cache_reads'), usage)).toBe(2001 + 27_000);
  });

  test('costs more only beyond the threshold where the excess is charged', () => {
    expect(cost(long('excess'), { inputTokens: 272_010, outputTokens: 1 })).toBe(272_000 + 20 + 4);
    // What was cached is the beginning of the prompt.
    expect(cost(long('excess'), { cacheReadTokens: 271_000, inputTokens: 2000 })).toBe(
      27_100 + 1000 + 2 * 1000,
    );
  });

  test('has a line of the receipt for each price it is at, and they add up', () => {
    const price = priceWith(long('excess'));
    const usage = { ...noUsage, inputTokens: 272_010, outputTokens: 1 };
    expect(receiptOfAll(portionsOf(price, usage))).toMatchObject({
      price_steps: [
        { bucket: 'inputTokens', count: 272_000, unitsEach: '1', units: '272000' },
        { bucket: 'outputTokens', count: 1, units: '4' },
        { bucket: 'inputTokens', count: 10, factors: { contextStep: '2' }, unitsEach: '2', units: '20' },
      ],
      price_sum: '272024',
      price_units: 272_024,
    });
  });
});

describe('the service tier', () => {
  const tiers: PriceDimensions = {
    ...long('call'),
    tiers: { priority: { input: 2, output: 3, longContext: 'step' }, flex: 0.5 },
  };
  const usage = { inputTokens: 1000, outputTokens: 100 };

  test.each<[string, Service, number]>([
    ['nothing asked', {}, 1400],
    ['priority asked and served', { sent: { tier: 'priority' }, served: { tier: 'priority' } }, 3200],
    [
      'priority asked, the standard served',
      { sent: { tier: 'priority' }, served: { tier: 'standard' } },
      1400,
    ],
    ['priority served unasked', { served: { tier: 'priority' } }, 3200],
    ['priority asked, nothing told', { sent: { tier: 'priority' } }, 3200],
    ['flex asked and served', { sent: { tier: 'flex' }, served: { tier: 'flex' } }, 700],
    ['flex asked, nothing told: it may have been ignored', { sent: { tier: 'flex' } }, 1400],
    ['a word nobody knows, served', { sent: { tier: 'turbo' }, served: { tier: 'turbo' } }, 3200],
    ['a word nobody knows, asked, nothing told', { sent: { tier: 'turbo' } }, 3200],
    [
      'a word nobody knows, asked, the standard served',
      { sent: { tier: 'turbo' }, served: { tier: 'standard' } },
      1400,
    ],
  ])('%s', (_, service, units) => {
    expect(cost(tiers, usage, service)).toBe(units);
  });

  test.each<[string, PriceDimensions, number]>([
    ['the dearest, which may be the standard', { tiers: { standard: 2, flex: 0.5 } }, 2800],
    ['the standard, where only cheaper ones are known', { tiers: { flex: 0.5 } }, 1400],
    ['the standard, where no tier has a price', { speeds: { fast: 6 } }, 1400],
    ['`other`, where that has a price', { tiers: { priority: 2, other: 1.5 } }, 2100],
    // Of 1000 tokens in and 100 out, 2 and 3 come to 3200, 3 and 1 to 3400.
    ['the dearest for what was used', { tiers: { one: { input: 2, output: 3 }, two: { input: 3 } } }, 3400],
  ])('that nobody knows costs %s', (_, dimensions, units) => {
    expect(cost(dimensions, usage, { served: { tier: 'turbo' } })).toBe(units);
    expect(cost(dimensions, usage, { sent: { tier: 'turbo' }, served: { tier: 'turbo' } })).toBe(units);
  });

  test.each([
    ['with a price of its own', { tiers: { priority: 2, window_8h: 0.6 } }, 840],
    ['without one, as the standard', { tiers: { priority: 2 } }, 1400],
  ])('a longer time for an answer costs what it is sold for: %s', (_, dimensions, units) => {
    expect(cost(dimensions, usage, { served: { tier: 'window_8h' } })).toBe(units);
  });

  test.each(['scale', 'provisioned_throughput', 'reserved'])(
    '%s was bought beforehand: it costs as the standard beside a price of others too',
    (tier) => {
      const dimensions = { tiers: { priority: 2, other: 1.5 } };
      expect(cost(dimensions, usage, { served: { tier } })).toBe(1400);
    },
  );

  test('is never multiplied with a long prompt where the maker serves that as standard', () => {
    const prompt = { inputTokens: 300_000 };
    const priority = { sent: { tier: 'priority' }, served: { tier: 'priority' } };
    expect(cost(tiers, prompt, priority)).toBe(600_000);
    expect(cost(tiers, prompt, { sent: { tier: 'flex' }, served: { tier: 'flex' } })).toBe(300_000);
  });

  test('speed and place are surcharges beside it', () => {
    const dimensions: PriceDimensions = { speeds: { fast: 6 }, places: { us: 1.1 } };
    const service = { served: { speed: 'fast', place: 'us' } };
    expect(cost(dimensions, { inputTokens: 1000, cacheReadTokens: 1000 }, service)).toBe(7260);
  });
});

describe('hours', () => {
  const hours = (from: string, to: string, more: object = {}): PriceDimensions => ({
    hours: [{ zone: 'Europe/Berlin', from, to, factor: 0.5, ...more }],
  });
  const at = (dimensions: PriceDimensions, iso: string) =>
    cost(dimensions, { inputTokens: 1000 }, {}, Date.parse(iso));

  test('are those of the clock on the wall, in winter and in summer', () => {
    expect(at(hours('08:00', '09:00'), '2026-01-15T07:00:00Z')).toBe(500);
    expect(at(hours('08:00', '09:00'), '2026-01-15T06:59:59Z')).toBe(1000);
    expect(at(hours('08:00', '09:00'), '2026-07-15T06:00:00Z')).toBe(500);
    expect(at(hours('08:00', '09:00'), '2026-07-15T07:00:00Z')).toBe(1000);
  });

  test('hold through the night the clocks change', () => {
    // 25 October 2026: 02:30 comes twice. 29 March 2026: it does not come.
    expect(at(hours('02:00', '03:00'), '2026-10-25T00:30:00Z')).toBe(500);
    expect(at(hours('02:00', '03:00'), '2026-10-25T01:30:00Z')).toBe(500);
    expect(at(hours('02:00', '03:00'), '2026-10-25T02:00:00Z')).toBe(1000);
    expect(at(hours('02:00', '03:00'), '2026-03-29T00:59:59Z')).toBe(1000);
    expect(at(hours('02:00', '03:00'), '2026-03-29T01:00:00Z')).toBe(1000);
  });

  test('past midnight belong to the day they begin on', () => {
    const friday = hours('22:00', '06:00', { days: ['fri'] });
    expect(at(friday, '2026-01-16T22:00:00Z')).toBe(500);
    expect(at(friday, '2026-01-17T04:59:00Z')).toBe(500);
    expect(at(friday, '2026-01-17T22:00:00Z')).toBe(1000);
    expect(at(friday, '2026-01-16T04:00:00Z')).toBe(1000);
  });

  test('multiply a price per call as well', () => {
    const price = priceFrom(factorsOf({ modelPrice: 0.01, dimensions: hours('00:00', '00:00') }), PER_UNIT);
    expect(quotaAt(priceAt(price, NOON), noUsage)).toBe(2500);
  });
});

test('what a call can cost at most is remembered by what has a price: callers choose the words', () => {
  const price = priceWith({ ...long('call'), tiers: { priority: 2 } });
  const most = (terms: ServiceTerms) => ceilingOf(price, 1000, [terms]);
  const standard = most({});
  for (const word of ['one', 'two']) expect(most({ speed: word, place: word })).toBe(standard);
  expect(most({ tier: 'priority', speed: 'one' })).toBe(most({ tier: 'priority' }));
  expect(most({ tier: 'one' })).toBe(most({ tier: 'two' }));
});

const factor = fc.integer({ min: 0, max: 60 }).map((tenths) => tenths / 10);
const shares = fc.oneof(
  factor,
  fc.record({ input: factor, output: factor, cacheRead: factor, cacheWrite: factor }, { requiredKeys: [] }),
);
const context = fc
  .record({
    counts: fc.constantFrom('prompt', 'without_cache_reads', 'without_cache'),
    charges: fc.constantFrom('call', 'excess'),
    starts: fc.uniqueArray(fc.integer({ min: 0, max: 3000 }), { maxLength: 3 }),
    each: fc.array(fc.record({ input: factor, cacheRead: factor, cacheWrite: factor }), {
      minLength: 3,
      maxLength: 3,
    }),
  })
  .map(({ starts, each, ...rest }) => ({
    ...rest,
    steps: starts.toSorted((one, other) => one - other).map((above, index) => ({ above, ...each[index] })),
  }));
const words = ['standard', 'priority', 'flex', 'turbo'] as const;
const word = fc.constantFrom(...words);
const wordAsked = fc.constantFrom(...words, 'banana');
const terms = fc.record({ tier: wordAsked, speed: wordAsked, place: wordAsked }, { requiredKeys: [] });
const dimensionsOf = fc.record(
  {
    context,
    tiers: fc.dictionary(word, shares),
    speeds: fc.dictionary(word, shares),
    places: fc.dictionary(word, shares),
    hours: fc.array(
      fc.record({
        zone: fc.constantFrom('UTC', 'Asia/Shanghai', 'America/New_York'),
        from: fc.constantFrom('00:00', '08:30', '22:00'),
        to: fc.constantFrom('00:00', '08:30', '22:00'),
        factor: shares,
      }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);
const count = fc.integer({ min: 0, max: 1500 });
const usages = fc.record({
  inputTokens: count,
  cacheReadTokens: count,
  cacheWrite5mTokens: count,
  cacheWrite1hTokens: count,
  outputTokens: count,
});

/** The terms that an upstream may serve: those it was sent, or the standard. */
const served = (sent: ServiceTerms, told: readonly boolean[]): ServiceTerms =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) =>
      told[0] === true ? [[name, told[1] === true ? value : 'standard']] : [],
    ),
  );

test('what is held covers every charge within the limits, and receipts add up to the unit', () => {
  fc.assert(
    fc.property(
      fc.record({
        dimensions: dimensionsOf,
        cacheRatio: factor,
        createCacheRatio: factor,
        completionRatio: factor,
      }),
      usages,
      terms,
      fc.tuple(fc.boolean(), fc.boolean()),
      fc.integer({ min: 0, max: 10_000_000 }),
      ({ dimensions, ...ratios }, tokens, sent, told, minutes) => {
        const book = factorsOf({ ...ratios, dimensions, writesCache: true });
        const price = priceAt(priceFrom(book, PER_UNIT), NOON + minutes * 60_000);
        const usage = { ...noUsage, ...tokens };
        const held = holdFor(ceilingOf(price, promptTokens(usage), [sent]), {
          inputTokens: promptTokens(usage),
          maxOutputTokens: usage.outputTokens,
          choices: 1,
          leastInputTokens: 0,
        });
        const service = { sent, served: served(sent, told) };
        const charged = quotaAt(price, usage, service);
        expect(held).toBeGreaterThanOrEqual(charged ?? Infinity);
        const receipt = receiptOfAll(portionsOf(price, usage, service));
        expect(receipt.price_units).toBe(charged);
        const places = 10n ** 150n;
        const exact = (text: string): bigint => {
          const [whole = '0', rest = ''] = text.split('.');
          return BigInt(whole) * places + BigInt(rest.padEnd(150, '0'));
        };
        const sum = receipt.price_steps.reduce((total, { units }) => total + exact(units), 0n);
        expect(sum).toBe(exact(receipt.price_sum));
      },
    ),
    { numRuns: 500 },
  );
});
