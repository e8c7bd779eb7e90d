import { quantile } from '../evidence/evidence.ts';
import { type AvailabilitySum, callersIn } from './availability.ts';

/** The least traffic at which anything is shown, so that nobody's own calls can be inferred from it. */
export interface ShownFrom {
  readonly leastCalls: number;
  readonly leastCallers: number;
}

/** What the public page shows about a model. */
export interface ModelAvailability {
  readonly model: string;
  /** The share of calls answered in the whole span, in percent, rounded down; undefined after too few calls or callers. */
  readonly percent: number | undefined;
  /** The same share for each hour or day, oldest first. */
  readonly bars: readonly (number | undefined)[];
  /** Milliseconds, rounded; undefined after too few streams or callers. */
  readonly firstTokenMs: { readonly p50: number; readonly p95: number } | undefined;
}

interface Sum {
  answered: number;
  failed: number;
  callers: number;
}

const newSum = (): Sum => ({ answered: 0, failed: 0, callers: 0 });

/** The steps in one percent. Finer ones would reveal how many calls there were. */
const STEPS_OF_SPAN = 10;
const STEPS_OF_BAR = 2;

/** Rounds down, never up, so that 100 means that every call was answered. */
const percentOf = (sum: Sum, shown: ShownFrom, steps: number): number | undefined => {
  const calls = sum.answered + sum.failed;
  if (calls < shown.leastCalls || callersIn(sum.callers) < shown.leastCallers) return undefined;
  return Math.floor((sum.answered * 100 * steps) / calls) / steps;
};

/** Rounds to two digits. */
const roundedMs = (ms: number): number => {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, ms))) - 1);
  return Math.round(ms / step) * step;
};

const firstTokenOf = (
  sums: readonly AvailabilitySum[],
  shown: ShownFrom,
): ModelAvailability['firstTokenMs'] => {
  let [calls, callers] = [0, 0];
  for (const sum of sums) {
    calls += sum.calls;
    callers |= sum.callers;
  }
  if (calls < shown.leastCalls || callersIn(callers) < shown.leastCallers) return undefined;
  const buckets = sums.map((sum) => ({ detail: String(sum.bucket), calls: sum.calls }));
  const [p50, p95] = [quantile(buckets, 0.5), quantile(buckets, 0.95)];
  return p50 === undefined || p95 === undefined ? undefined : { p50: roundedMs(p50), p95: roundedMs(p95) };
};

interface Span {
  readonly fromS: number;
  readonly stretch: number;
  readonly bars: number;
}

/**
 * The availability and rounded times of each of these models, without anything that reveals how often it was called.
 */
export const availabilityReport = (
  models: readonly string[],
  span: Span,
  calls: readonly AvailabilitySum[],
  firstTokens: readonly AvailabilitySum[],
  shown: ShownFrom,
): ModelAvailability[] => {
  const callsOf = Map.groupBy(calls, ({ model }) => model);
  const timesOf = Map.groupBy(firstTokens, ({ model }) => model);
  return models.map((model) => {
    const whole = newSum();
    const bars = Array.from({ length: span.bars }, newSum);
    for (const { start, measure, calls: count, callers } of callsOf.get(model) ?? []) {
      const bar = bars[Math.floor((start - span.fromS) / span.stretch)];
      if (bar === undefined || measure === 'first_token') continue;
      for (const sum of [bar, whole]) {
        sum[measure] += count;
        sum.callers |= callers;
      }
    }
    return {
      model,
      percent: percentOf(whole, shown, STEPS_OF_SPAN),
      bars: bars.map((bar) => percentOf(bar, shown, STEPS_OF_BAR)),
      firstTokenMs: firstTokenOf(timesOf.get(model) ?? [], shown),
    };
  });
};
