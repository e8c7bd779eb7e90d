import { AwakeTimer } from '#core/awake-timer.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { Chosen } from '../trial.ts';

/** An attempt of a call that has neither answered nor failed, and how it will end. */
export interface Runner<Value, Try extends Chosen> {
  readonly attempt: LiveAttempt<Try>;
  /** Never rejects. */
  readonly ended: Promise<End<Value, Try>>;
  isOver: boolean;
}

export type End<Value, Try extends Chosen> =
  | { readonly runner: Runner<Value, Try>; readonly value: Value }
  | { readonly runner: Runner<Value, Try>; readonly thrown: unknown };

/** The first end of them, or `late` if there is none within `mostMs`. */
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
