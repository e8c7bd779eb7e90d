import { z } from 'zod';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import type { Receipt } from './lines.ts';

/*
 * Computes a receipt's price again from its own figures: each line is a number of tokens or calls times the product of
 * its factors, the lines add up to the sum, and the sum, rounded half up, gives the units.
 */

const decimal = z.string().max(400);
const details = z.object({
  price_steps: z
    .array(
      z.object({
        bucket: z.string(),
        count: z.number().int().min(0),
        factors: z.record(z.string(), decimal),
        unitsEach: decimal,
        units: decimal,
      }),
    )
    .max(1000),
  price_sum: decimal,
  price_units: z.number().int().min(0).nullable(),
  /** What neither the account nor the token could pay, so the house does. */
  not_charged_units: z.number().int().min(0).optional(),
});
type Priced = z.infer<typeof details>;

const INPUT: ReadonlySet<string> = new Set([
  'inputTokens',
  'cacheReadTokens',
  'cacheWrite5mTokens',
  'cacheWrite1hTokens',
  'imageInputTokens',
  'audioInputTokens',
]);
const OUTPUT: ReadonlySet<string> = new Set(['outputTokens', 'audioOutputTokens', 'imageOutputTokens']);

/** A decimal as a whole number of 10^-places. */
interface Exact {
  readonly digits: bigint;
  readonly places: number;
}

const ZERO: Exact = { digits: 0n, places: 0 };

/** Parses a decimal; throws if the text is none. */
const exact = (text: string): Exact => {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`not a decimal: ${text}`);
  return { digits: BigInt(whole + fraction), places: fraction.length };
};
const times = (one: Exact, other: Exact): Exact => ({
  digits: one.digits * other.digits,
  places: one.places + other.places,
});
const at = ({ digits, places }: Exact, most: number): bigint => digits * 10n ** BigInt(most - places);
const plus = (one: Exact, other: Exact): Exact => {
  const places = Math.max(one.places, other.places);
  return { digits: at(one, places) + at(other, places), places };
};
const isSame = (one: Exact, other: Exact): boolean => {
  const places = Math.max(one.places, other.places);
  return at(one, places) === at(other, places);
};

/** Rounds to whole units: half up, and at least 1 if it costs anything. */
const rounded = ({ digits, places }: Exact): bigint => {
  const scale = 10n ** BigInt(places);
  const units = (digits * 2n + scale) / (scale * 2n);
  return digits > 0n && units === 0n ? 1n : units;
};

/** A higher price is written as null. */
const MOST_UNITS = BigInt(MAX_QUOTA_UNITS);

type Call = Extract<Receipt, { tollgate: 'call' }>;

/**
 * What is wrong with the price of a call; undefined if its receipt has no lines that come to a sum, as for old rows: the first
 * versions wrote lines without factors and no sum.
 */
export const priceProblems = (call: Call): readonly string[] | undefined => {
  if (call.details?.['price_steps'] === undefined || call.details['price_sum'] === undefined)
    return undefined;
  const read = details.safeParse(call.details);
  if (!read.success) return ['its price cannot be read'];
  try {
    return [...stepProblems(read.data), ...tokenProblems(call, read.data), ...unitProblems(call, read.data)];
  } catch {
    return ['its price cannot be read'];
  }
};

const stepProblems = ({ price_steps: steps, price_sum }: Priced): string[] => {
  const problems: string[] = [];
  let sum = ZERO;
  for (const { bucket, count, factors, unitsEach, units } of steps) {
    const each = Object.values(factors).map(exact).reduce(times, { digits: 1n, places: 0 });
    const product = times(exact(unitsEach), { digits: BigInt(count), places: 0 });
    if (!isSame(each, exact(unitsEach)))
      problems.push(`the factors of ${bucket} do not come to ${unitsEach}`);
    if (!isSame(product, exact(units)))
      problems.push(`${count} × ${unitsEach} of ${bucket} are not ${units}`);
    sum = plus(sum, exact(units));
  }
  if (!isSame(sum, exact(price_sum))) problems.push(`its lines do not come to ${price_sum}`);
  return problems;
};

const CALL: ReadonlySet<string> = new Set(['call']);
/** The surcharges of cached sound and pictures: their tokens are among the cached ones. */
const DEARER_CACHED: ReadonlySet<string> = new Set(['audioCacheReadTokens', 'imageCacheReadTokens']);
const CACHED: ReadonlySet<string> = new Set(['cacheReadTokens']);

/** With a price by tokens, every token must be in exactly one line; with a price per call, no token may be. */
const tokenProblems = (
  { prompt_tokens, completion_tokens }: Call,
  { price_steps: steps }: Priced,
): string[] => {
  const countOf = (buckets: ReadonlySet<string>): number =>
    steps.reduce((sum, { bucket, count }) => (buckets.has(bucket) ? sum + count : sum), 0);
  const dearer = countOf(DEARER_CACHED);
  if (steps.some(({ bucket }) => bucket === 'call')) {
    const isOnce = countOf(CALL) === 1 && countOf(INPUT) + countOf(OUTPUT) + dearer === 0;
    return isOnce ? [] : ['it has a price for the call, and another beside it'];
  }
  if (dearer > countOf(CACHED)) return ['more sound and pictures than were cached have a price'];
  const counts = [
    ['input', prompt_tokens, countOf(INPUT)],
    ['output', completion_tokens, countOf(OUTPUT)],
  ] as const;
  return counts.flatMap(([name, told, priced]) =>
    told === priced ? [] : [`its price is of ${priced} tokens of ${name}, and it says ${told}`],
  );
};

const unitProblems = (
  { units }: Call,
  { price_sum, price_units, not_charged_units: lost = 0 }: Priced,
): string[] => {
  if (price_units === null)
    return rounded(exact(price_sum)) > MOST_UNITS ? [] : [`${price_sum} is a price, and none is stated`];
  const problems: string[] = [];
  if (rounded(exact(price_sum)) !== BigInt(price_units))
    problems.push(`${price_sum} rounded is not ${price_units}`);
  if (units + lost !== price_units)
    problems.push(
      `it is charged ${units} units${lost === 0 ? '' : ` and ${lost} not`}, its price is ${price_units}`,
    );
  return problems;
};
