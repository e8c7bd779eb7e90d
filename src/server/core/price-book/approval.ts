import type { PriceSetting } from '#contract/price-book.ts';

/** Somebody, by the name they had then. The id 0 is somebody unknown. */
export interface Person {
  readonly id: number;
  readonly name: string;
}

/** What another admin has answered to the question for an approval. */
export interface Verdict extends Person {
  readonly isApproved: boolean;
  readonly atMs: number;
  readonly words: string;
}

/** A setting that a change of prices takes along, as texts. */
export interface SettingChange {
  readonly key: PriceSetting;
  readonly before: string;
  readonly after: string;
}

/** The version that a draft brings back. */
export interface Restored {
  readonly version: number;
  /** Whether the schedules of other drafts end with that. */
  readonly endsSchedules: boolean;
}

/** The writers with one more; each is in it once, by the newest name. */
export const withWriter = (writers: readonly Person[], { id, name }: Person): readonly Person[] => [
  ...writers.filter((one) => one.id !== id),
  { id, name },
];

/** Whether all who wrote a change are known. */
export const areKnown = (writers: readonly Person[]): boolean =>
  writers.length > 0 && writers.every(({ id }) => id !== 0);

/** Whether somebody may approve what these have written: nobody approves a change that they had a part in. */
export const mayApprove = (approverId: number, writers: readonly Person[]): boolean =>
  areKnown(writers) && approverId !== 0 && writers.every(({ id }) => id !== approverId);

/** Whether a change has been approved by somebody who may. */
export const isApproved = (writers: readonly Person[], verdict: Verdict | undefined): boolean =>
  verdict?.isApproved === true && mayApprove(verdict.id, writers);
