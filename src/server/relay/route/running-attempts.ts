import { AwakeTimer } from '#core/time/awake-timer.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { Chosen } from '../destination.ts';

/** A running attempt of a call, and a promise of how it ends. */
export interface Runner<Value, Try extends Chosen> {
  readonly attempt: LiveAttempt<Try>;
  /** Never rejects. */
  ended: Promise<End<Value, Try>>;
  isOver: boolean;
}

export type End<Value, Try extends Chosen> =
  | { readonly runner: Runner<Value, Try>; readonly value: Value }
  | { readonly runner: Runner<Value, Try>; readonly thrown: unknown };

/** Waits for the first attempt to end, or returns `late` after `mostMs`. */
export const firstEnd = <Value, Try extends Chosen>(
  runners: readonly Runner<Value, Try>[],
  mostMs?: number,
): Promise<End<Value, Try> | 'late'> => {
  if (mostMs === undefined) return Promise.race(runners.map(({ ended }) => ended));
  return new Promise((resolve) => {
    const timer = new AwakeTimer(mostMs, () => resolve('late'));
    for (const { ended } of runners)
      void ended.then((end) => {
        timer.stop();
        resolve(end);
      });
  });
};
