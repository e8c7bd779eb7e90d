import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import type { Usage } from '../../chat/usage.ts';
import type { ServiceTerms } from '../../quota/service-terms.ts';

/*
 * The charge of a call, worked out a second time from docs/billing.md: with fractions, without any code of the first. What it
 * takes for granted are the hours of the day, which `price-variants.test.ts` has by the calendar.
 */

/** An exact fraction. */
interface Fraction {
  readonly above: bigint;
  readonly below: bigint;
}
const of = (value: number): Fraction => {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', rest = ''] = mantissa.split('.');
  const power = Number(exponent) - rest.length;
  const digits = BigInt(whole + rest);
  return power >= 0
    ? { above: digits * 10n ** BigInt(power), below: 1n }
    : { above: digits, below: 10n ** BigInt(-power) };
};
const times = (...factors: readonly number[]): Fraction =>
  factors
    .map(of)
    .reduce((one, other) => ({ above: one.above * other.above, below: one.below * other.below }), of(1));
const plus = (one: Fraction, other: Fraction): Fraction => ({
  above: one.above * other.below + other.above * one.below,
  below: one.below * other.below,
});
const isMore = (one: Fraction, other: Fraction): boolean => one.above * other.below > other.above * one.below;
/** Rounded once, half up, at least 1 where it is not 0; undefined if it is more than a balance can be. */
export const whole = ({ above, below }: Fraction): number | undefined => {
  if (above === 0n) return 0;
  // Half up: the largest whole number that is not above the amount and a half.
  const units = (above * 2n + below) / (below * 2n);
  if (units > BigInt(MAX_QUOTA_UNITS)) return undefined;
  return units === 0n ? 1 : Number(units);
};

type Part = 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'call';
type Shares = NonNullable<PriceDimensions['speeds']>[string];
const share = (shares: Shares | undefined, part: Part): number => {
  if (shares === undefined) return 1;
  if (typeof shares === 'number') return shares;
  const own = shares[part];
  if (own !== undefined) return own;
  return part === 'cacheRead' || part === 'cacheWrite' ? (shares.input ?? 1) : 1;
};

/** What an operator has set for a model. */
export interface Book {
  readonly ratio: number;
  readonly completion: number | undefined;
  readonly cache: number | undefined;
  readonly created: number | undefined;
  readonly perCall: number | undefined;
  readonly group: number;
  readonly special: number | undefined;
  readonly perUnit: number;
  readonly searches: number;
  readonly dimensions: PriceDimensions;
}
/** What a call asked for, was served, and used. */
export interface Call {
  readonly usage: Usage;
  readonly sent: ServiceTerms;
  readonly served: ServiceTerms | undefined;
  readonly isSpecial: boolean;
  readonly answers: number;
  /** What is asked for where a price is that of a second or depends on a resolution; undefined if it is not said. */
  readonly seconds?: number | undefined;
  readonly resolution?: string | undefined;
}

const NAMES = ['tier', 'speed', 'place'] as const;
const BOUGHT = ['scale', 'provisioned_throughput', 'reserved'];
/** Words of sizes that say nothing. */
const SAYS_NOTHING = ['auto', 'default', 'standard', 'normal', '16:9'];

/** The words that one term may be paid as; the dearest of all ways counts. */
const wordsOf = (book: Book, { sent, served }: Call, name: (typeof NAMES)[number]): readonly string[] => {
  const table = book.dimensions[`${name}s`] as Record<string, unknown> | undefined;
  const priced = (word: string): string[] => {
    if (table === undefined || word === 'standard' || Object.hasOwn(table, word)) return [word];
    if (BOUGHT.includes(word)) return ['standard'];
    return Object.hasOwn(table, 'other') ? ['other'] : ['standard', ...Object.keys(table)];
  };
  const told = served?.[name];
  if (told !== undefined) return priced(told);
  const asked = sent[name] ?? 'standard';
  return asked === 'standard' ? ['standard'] : [...priced(asked), 'standard'];
};

/** What each bucket is beside the model's and the group's ratio, and the part of a factor that it is of. */
const bucketsOf = ({ completion = 1, cache = 1, created, dimensions }: Book) => {
  const ratios = dimensions.ratios ?? {};
  const write = created ?? 1.25;
  return [
    ['cacheReadTokens', cache, 'cacheRead'],
    ['cacheWrite1hTokens', times(write, ratios.oneHour ?? 1.6), 'cacheWrite'],
    ['cacheWrite5mTokens', write, 'cacheWrite'],
    ['inputTokens', 1, 'input'],
    ['imageInputTokens', ratios.imageInput ?? 1, 'input'],
    ['audioInputTokens', ratios.audioInput ?? 1, 'input'],
    ['outputTokens', completion, 'output'],
    ['audioOutputTokens', times(ratios.audioInput ?? 1, ratios.audioOutput ?? completion), 'output'],
    ['imageOutputTokens', ratios.imageOutput ?? completion, 'output'],
  ] as const;
};
const PROMPT = new Set([
  'cacheReadTokens',
  'cacheWrite1hTokens',
  'cacheWrite5mTokens',
  'inputTokens',
  'imageInputTokens',
  'audioInputTokens',
]);
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  prompt: [],
  without_cache_reads: ['cacheReadTokens'],
  without_cache: ['cacheReadTokens', 'cacheWrite1hTokens', 'cacheWrite5mTokens'],
};

/** Seconds and resolution of a price per call. */
const mediaOf = ({ dimensions: { media } }: Book, { seconds, resolution }: Call): number[] => {
  if (media === undefined) return [];
  const factors = media.seconds === undefined ? [] : [seconds ?? media.seconds.usual];
  const table = media.resolutions;
  if (table === undefined) return factors;
  const isSaid = resolution !== undefined && !SAYS_NOTHING.includes(resolution);
  const known = isSaid && Object.hasOwn(table, resolution) ? table[resolution] : undefined;
  return [...factors, known ?? table['other'] ?? Math.max(...Object.values(table))];
};

/** What a call costs in units, before it is rounded. */
export const amountOf = (book: Book, call: Call): Fraction => {
  const {
    dimensions: { context, tiers, speeds, places },
  } = book;
  const group = call.isSpecial && book.special !== undefined ? book.special : book.group;
  const steps = context?.steps ?? [];
  const leftOut = LEFT_OUT[context?.counts ?? 'prompt'] ?? [];
  const counted = bucketsOf(book).filter(([bucket]) => PROMPT.has(bucket) && !leftOut.includes(bucket));
  const tokens = counted.reduce((sum, [bucket]) => sum + call.usage[bucket], 0);
  /** Of the n-th token that is counted, from 1 on: how many steps it is beyond. */
  const stepAt = (token: number): number =>
    steps.filter(({ above, from }) => (from === undefined ? token > (above ?? 0) : token >= from)).length;
  const reached = stepAt(tokens);
  const searches = BigInt(call.usage.toolCalls?.web_search ?? 0);
  const aThousand = times(book.searches, book.perUnit, group);
  const searched = { above: aThousand.above * searches, below: aThousand.below * 1000n };
  const factorsOf = (step: number, part: Part, tier: string, speed: string, place: string): number[] => {
    const ofTier = tiers !== undefined && Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
    const isStepOnly = step > 0 && typeof ofTier === 'object' && ofTier.longContext === 'step';
    return [
      step === 0 ? 1 : share(steps[step - 1], part),
      isStepOnly ? 1 : share(ofTier, part),
      share(speeds !== undefined && Object.hasOwn(speeds, speed) ? speeds[speed] : undefined, part),
      share(places !== undefined && Object.hasOwn(places, place) ? places[place] : undefined, part),
    ];
  };
  const ways: Fraction[] = [];
  for (const tier of wordsOf(book, call, 'tier'))
    for (const speed of wordsOf(book, call, 'speed'))
      for (const place of wordsOf(book, call, 'place')) {
        let sum: Fraction = searched;
        if (book.perCall !== undefined) {
          const factors = factorsOf(context === undefined ? 0 : reached, 'call', tier, speed, place);
          const each = [book.perCall, book.perUnit, call.answers, group];
          sum = plus(sum, times(...each, ...factors, ...mediaOf(book, call)));
        } else {
          let before = 0;
          for (const [bucket, ratio, part] of bucketsOf(book)) {
            const isCounted = PROMPT.has(bucket) && !leftOut.includes(bucket);
            const own = typeof ratio === 'number' ? of(ratio) : ratio;
            const add = (count: number, step: number): void => {
              const each = times(book.ratio, group, ...factorsOf(step, part, tier, speed, place));
              sum = plus(sum, {
                above: BigInt(count) * each.above * own.above,
                below: each.below * own.below,
              });
            };
            const count = call.usage[bucket];
            if (context?.charges !== 'excess') add(count, reached);
            else if (!isCounted) add(count, 0);
            else {
              // Each token by the step it is beyond, from the first of the bucket to its last.
              for (let step = 0; step <= steps.length; step += 1) {
                let within = 0;
                for (let token = before + 1; token <= before + count; token += 1)
                  if (stepAt(token) === step) within += 1;
                add(within, step);
              }
              before += count;
            }
          }
        }
        ways.push(sum);
      }
  return ways.reduce((dearest, way) => (isMore(way, dearest) ? way : dearest));
};
