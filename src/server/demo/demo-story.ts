import type { Clock } from '#core/clock.ts';

/** An invented event. Its code reads the story's clock. */
export interface Happening {
  readonly agoMs: number;
  happen(): Promise<unknown>;
}

export interface Story {
  /** The clock, at the time of the current event. */
  readonly clock: Clock;
  /** Runs all events in the order of their times. */
  tell(happenings: readonly Happening[]): Promise<void>;
  /** Runs one event at its time. */
  at<Result>(agoMs: number, work: () => Result): Result;
}

/** An invented past. Rows are written in the order of their times, so that lists and balances are consistent. */
export const createStory = (clock: Clock): Story => {
  const startedMs = clock.now();
  let agoMs = 0;
  const at = <Result>(ago: number, work: () => Result): Result => {
    agoMs = ago;
    return work();
  };
  return {
    clock: { now: () => startedMs - agoMs, monotonic: () => clock.monotonic() },
    at,
    async tell(happenings) {
      for (const { agoMs: ago, happen } of happenings.toSorted((left, right) => right.agoMs - left.agoMs))
        await at(ago, happen);
    },
  };
};
