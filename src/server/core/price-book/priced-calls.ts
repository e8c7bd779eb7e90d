import type { PricedSlice } from './preview.ts';

/** What kept calls were charged by. */
export interface PricedCalls {
  /**
   * Gives the calls of a stretch of time, slice by slice, in the order of time, until `each` says false; with the names of
   * models and groups by their numbers. Slices are bounded, also those of one moment.
   * @returns all charged calls of that time, and their units, also of those that cannot be given
   */
  read(
    fromMs: number,
    toMs: number,
    each: (slice: PricedSlice, names: ReadonlyMap<number, string>) => boolean | Promise<boolean>,
  ): Promise<{ readonly calls: number; readonly quotaUnits: number }>;
}
