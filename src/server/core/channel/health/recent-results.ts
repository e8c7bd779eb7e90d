/** Results of the last minute in a few pieces, oldest first. Immutable. */
export type Results = readonly Bucket[];

interface Bucket {
  readonly startMs: number;
  readonly failures: number;
  readonly successes: number;
  /** The only user whose calls failed; 0 if it is more than one, or unknown; undefined without a failure. */
  readonly by?: number | undefined;
}

export const WINDOW_MS = 60_000;
const BUCKET_MS = 10_000;
/** This many failures within the window also start a cooldown, if they are a large enough share of all results. */
const FAILURES_OF_RATE = 10;

/** The user whose calls failed, with one more failure: 0 if they are more than one user's. */
export const onlyUser = (by: number | undefined, userId: number): number =>
  by === undefined || by === userId ? userId : 0;

/** The only user of all failures; 0 if there is none. */
export const userOfAll = (recent: Results): number =>
  recent.reduce<number | undefined>(
    (all, { by }) => (by === undefined ? all : onlyUser(all, by)),
    undefined,
  ) ?? 0;

/** The results with a failure. @param userId whose call it was; 0 if that does not matter */
export const withFailure = (recent: Results, nowMs: number, userId: number): Bucket[] => {
  const all = counted(recent, nowMs, 1, 0);
  const last = all.at(-1);
  return last === undefined ? all : [...all.slice(0, -1), { ...last, by: onlyUser(last.by, userId) }];
};

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

/** The last failures within a minute, this one included. */
export const inMinute = (times: readonly number[], nowMs: number, most: number): readonly number[] =>
  [...times.filter((ms) => nowMs - ms < WINDOW_MS), nowMs].slice(-most);
