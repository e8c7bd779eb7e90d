import type { Call } from './wire.ts';

/**
 * What a caller behind a correct gateway should get from a script, when there is no other channel:
 * `answer` a whole and correct answer; `refused` an error and no answer; `broken-off` the beginning of an answer and a
 * well-formed error, or an error alone; `endless` data until somebody stops it.
 */
export type Outcome = 'answer' | 'refused' | 'broken-off' | 'endless';

/** One way for an upstream to misbehave. */
export interface Script {
  readonly description: string;
  readonly outcome: Outcome;
  /** Only a timeout of the gateway ends it. */
  readonly hangs?: true;
  /** Only for calls with `stream`. */
  readonly streamOnly?: true;
  /** Only for calls without `stream`. */
  readonly wholeOnly?: true;
  /** `argument` is the number at the end of the name, where one was given: `fault-silent-2000`. */
  run(call: Call, argument: number | undefined): void | Promise<void>;
}
