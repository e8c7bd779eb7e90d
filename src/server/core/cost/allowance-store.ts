import type { AllowanceDay } from './allowance-use.ts';

/** Stores how much was given of free allowances. The ledger and the house costs add to it. */
export interface AllowanceStore {
  /** What was given on these days, in their order; of a channel's keys together. */
  given(days: readonly Omit<AllowanceDay, 'keyId'>[]): Promise<number[]>;
  deleteBefore(day: number): Promise<void>;
}
