/** Results of the last minute in a few pieces, oldest first. Immutable. */
export type Results = readonly Bucket[];

interface Bucket {
  readonly startMs: number;
  readonly failures: number;
  readonly successes: number;
}

export const WINDOW_MS = 60_000;
const BUCKET_MS = 10_000;
/** This many failures within the window also start a cooldown, if they are a large enough share of all results. */
const FAILURES_OF_RATE = 10;

/** The results with some more. */
export const counted = (recent: Results, nowMs: number, failures: number, successes: number): Bucket[] => {
  const kept = recent.filter(({ startMs }) => nowMs < startMs + WINDOW_MS);
  const last = kept.at(-1);
  if (last === undefined || nowMs >= last.startMs + BUCKET_MS)
    return [...kept, { startMs: nowMs, failures, successes }];
  const sum = { ...last, failures: last.failures + failures, successes: last.successes + successes };
  return [...kept.slice(0, -1), sum];
};

/** Whether so many of them are failures that it cannot be chance. */
export const failsTooOften = (recent: Results, leastShare: number): boolean => {
  const failures = recent.reduce((sum, bucket) => sum + bucket.failures, 0);
  const successes = recent.reduce((sum, bucket) => sum + bucket.successes, 0);
  return failures >= FAILURES_OF_RATE && failures >= leastShare * (failures + successes);
};
