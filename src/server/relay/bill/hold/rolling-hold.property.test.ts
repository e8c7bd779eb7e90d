import fc from 'fast-check';
import { expect, it } from 'vitest';
import { priceDimensions } from '#contract/options/price-dimensions.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import type { PriceFactors } from '#core/quota/price-factors.ts';
import { affordedTokens, holdPlan } from '#core/quota/afford.ts';
import { ceilingOf, quotaAt } from '#core/quota/price-variants.ts';
import { priceFrom } from '#core/quota/price.ts';
import { factorsOf } from '#core/quota/testing/price-factors.ts';
import type { Tapped } from '../../../dialects/dialect.ts';
import { chargeOf, newMeter, note } from '../meter.ts';
import { RollingHold } from './rolling-hold.ts';

/**
 * Whatever a stream says and in whatever pieces it comes: what was let pass is never more than is held, and it is ended only where
 * its payer has no more.
 */

const dimensions = fc
  .record(
    {
      context: fc.constantFrom(
        { steps: [{ above: 900, input: 2, output: 1.5 }] },
        {
          steps: [
            { above: 0, input: 0.5 },
            { above: 5000, output: 9 },
          ],
        },
        { counts: 'without_cache_reads', charges: 'excess', steps: [{ above: 900, input: 3 }] },
      ),
      tiers: fc.constantFrom(
        { priority: { input: 2, output: 3, longContext: 'step' } },
        { priority: 4, flex: 0.5 },
      ),
    },
    { requiredKeys: [] },
  )
  .map((one) => priceDimensions.parse({ m: one })['m'] ?? {});
const prices = fc
  .record({
    modelRatio: fc.constantFrom(0, 0.003, 1, 7.3),
    completionRatio: fc.constantFrom(0, 1, 4),
    groupRatio: fc.constantFrom(0.3, 1),
    cacheRatio: fc.constantFrom(0.1, 1, 3),
    createCacheRatio: fc.constantFrom(1, 1.25),
    audioRatio: fc.constantFrom(1, 16),
    writesCache: fc.boolean(),
    dimensions,
    searches: fc.constantFrom(0, 10),
  })
  .map(({ searches, ...factors }) =>
    priceFrom(factorsOf({ ...factors, toolPrices: { web_search: searches } }), 500_000),
  );

const text = fc
  .oneof(fc.nat(200), fc.nat(9000))
  .map((outputBytes): Tapped => ({ content: true, outputBytes }));
const prompts = fc.record(
  {
    inputTokens: fc.nat(8000),
    cacheReadTokens: fc.nat(8000),
    cacheWrite5mTokens: fc.nat(3000),
    cacheWrite1hTokens: fc.nat(3000),
    audioInputTokens: fc.nat(500),
  },
  { requiredKeys: [] },
);
const answers = fc.record(
  { outputTokens: fc.nat(3000), audioOutputTokens: fc.nat(300) },
  { requiredKeys: [] },
);
const news = fc.oneof(
  fc
    .tuple(prompts, answers)
    .map(([prompt, answer]): Tapped => ({ usage: { ...noUsage, ...prompt, ...answer } })),
  fc.nat(3000).map((cacheWrite5mTokens): Tapped => ({
    usage: { ...noUsage, cacheWrite5mTokens, writesUndated: true },
  })),
  fc.constantFrom('priority', 'flex', 'standard').map((tier): Tapped => ({ served: { tier } })),
  fc.constant<Tapped>({ toolCall: 'web_search' }),
);
/** A piece of the network has several frames of text; of what raises a price, one, which is seen at the next piece. */
const pieces = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.array(text, { minLength: 1, maxLength: 6 }) },
    news.map((one) => [one]),
  ),
  { maxLength: 40 },
);
const streams = fc.record({
  price: prices,
  pieces,
  inputTokens: fc.nat(2000),
  keepsAnHour: fc.boolean(),
  named: fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined }),
  money: fc.oneof(
    fc.integer({ min: 1, max: 3000 }),
    fc.integer({ min: 1, max: 60_000 }),
    fc.constant(Number.MAX_SAFE_INTEGER),
  ),
});

type Stream = typeof streams extends fc.Arbitrary<infer One> ? One : never;

const run = async (stream: Stream): Promise<'cut' | 'whole' | 'refused'> => {
  const { price, inputTokens, keepsAnHour, named, money } = stream;
  const size = { inputTokens, maxOutputTokens: named, choices: 1, leastInputTokens: 0 };
  const dearest = ceilingOf(price, inputTokens, []);
  const asked = {
    price: dearest,
    size,
    style: 'stream',
    isLimitForeign: false,
    thinks: false,
    hidesThoughts: false,
  } as const;
  const { quotaUnits, leastUnits = 0, mostUnits, answerTokens } = holdPlan(asked);
  if (money < leastUnits) return 'refused';
  let ledger = Math.min(money, quotaUnits);
  const rolling = new RollingHold({
    id: 'call',
    price: dearest,
    priceTold: (prompt, served = {}) => ceilingOf(price, Math.max(inputTokens, prompt), [served]),
    size,
    asked: { keepsAnHour },
    heldUnits: ledger,
    coveredTokens: ledger < quotaUnits ? affordedTokens(dearest, size, ledger) : answerTokens,
    mostUnits: named === undefined ? undefined : mostUnits,
    grow: async ({ quotaUnits: wanted, leastUnits: least }) => {
      const most = Math.min(money, wanted);
      if (most < least) return { state: 'user_short', availableUnits: money - ledger, heldUnits: ledger };
      ledger = Math.max(ledger, most);
      return { state: 'grown', quotaUnits: ledger };
    },
    join: () => undefined,
  });
  const meter = newMeter();
  // A stream is looked at from its first real event on.
  note(meter, { content: true, outputBytes: 0 });
  const cost = (): number => {
    const charge = chargeOf(meter, { inputTokensEstimate: inputTokens, keepsAnHour });
    const used = charge.action === 'void' ? noUsage : charge.usage;
    return quotaAt(price, used, { served: meter.served }) ?? Infinity;
  };
  for (const piece of stream.pieces) {
    // Of pieces with nothing but text, the text itself is measured.
    const framingBytes = piece.every(({ usage, served }) => usage === undefined && served === undefined)
      ? 0
      : 60;
    const bytes = piece.reduce((sum, { outputBytes = 0 }) => sum + outputBytes + framingBytes, 0);
    const isSlow = bytes >= rolling.look(meter);
    for (const frame of piece) {
      note(meter, frame);
      if (isSlow && !rolling.covers(meter) && !(await rolling.grows(meter))) {
        // There is nothing more: a unit more than there is would be needed.
        expect(ledger).toBe(money);
        return 'cut';
      }
    }
    if (piece.every(({ outputBytes }) => outputBytes !== undefined))
      expect(cost()).toBeLessThanOrEqual(ledger);
    // Others run meanwhile, and what was asked for ahead comes.
    await new Promise(setImmediate);
  }
  return 'whole';
};

const TEXT: Tapped = { content: true, outputBytes: 4 };
const example = (changes: Partial<PriceFactors>, inputTokens: number, told: Partial<Usage>): [Stream] => [
  {
    price: priceFrom(factorsOf(changes), 500_000),
    pieces: [[{ usage: { ...noUsage, ...told } }], [TEXT], [TEXT]],
    inputTokens,
    keepsAnHour: false,
    named: undefined,
    money: Number.MAX_SAFE_INTEGER,
  },
];
/** Reports of few tokens that cost more than what is held for text, or for a prompt of the estimated length. */
const unheld = [
  example({ modelRatio: 0.003, completionRatio: 0 }, 0, { audioOutputTokens: 1 }),
  example({ completionRatio: 0, audioRatio: 16 }, 100, { inputTokens: 50, audioOutputTokens: 300 }),
  example({ completionRatio: 0, createCacheRatio: 1.25 }, 1000, { cacheWrite1hTokens: 1000 }),
];

it('a stream never shows more than is held, and ends only when there is no more quota', async () => {
  const ends = { cut: 0, whole: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(streams, async (stream) => {
      ends[await run(stream)] += 1;
    }),
    { numRuns: 1000, examples: unheld },
  );
  expect(ends.cut).toBeGreaterThan(50);
  expect(ends.whole).toBeGreaterThan(50);
});

it('between two looks no more passes than is held, token by token', async () => {
  const price = priceFrom(factorsOf({ modelRatio: 1, completionRatio: 1 }), 500_000);
  const pieces = Array.from({ length: 8000 }, () => [TEXT]);
  const stream = { price, pieces, inputTokens: 0, keepsAnHour: false, named: undefined };
  expect(await run({ ...stream, money: 40_000 })).toBe('whole');
  expect(await run({ ...stream, money: 5000 })).toBe('cut');
});

it('a ledger that had nothing more to give is not asked again by every piece that follows', async () => {
  const price = priceFrom(factorsOf({ modelRatio: 1, completionRatio: 1 }), 500_000);
  const heldUnits = 100;
  let asked = 0;
  const hold = new RollingHold({
    id: 'call',
    price,
    priceTold: () => price,
    size: { inputTokens: 1, maxOutputTokens: 5000, choices: 1, leastInputTokens: 0 },
    heldUnits,
    coveredTokens: 99,
    mostUnits: 5001,
    grow: async () => {
      asked += 1;
      return { state: 'grown', quotaUnits: heldUnits };
    },
    join: () => undefined,
  });
  const meter = newMeter();
  for (let piece = 0; piece < 20; piece += 1) {
    note(meter, { content: true, outputBytes: 4 });
    hold.isShort(meter);
    await new Promise((done) => void setImmediate(done));
  }
  expect(asked).toBe(1);
});
