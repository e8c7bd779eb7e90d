import type { Clock } from '#core/clock.ts';

/** Something the demo says has happened. What it does reads the story's clock. */
export interface Happening {
  readonly agoMs: number;
  happen(): Promise<unknown>;
}

export interface Story {
  /** As it stood at what is being told. */
  readonly clock: Clock;
  /** Tells everything in the order it happened, the oldest first. */
  tell(happenings: readonly Happening[]): Promise<void>;
  /** One thing, at its time. */
  at<Result>(agoMs: number, work: () => Result): Result;
}

/** A past that is made up: rows are written in the order of their times, so that lists and balances are believable. */
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
