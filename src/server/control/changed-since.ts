import { refuse } from './refuse.ts';

/** The fields of an object that others have changed since an editor read it, of those that the editor changes. */
export type ChangedSince<Row> = (now: Row) => readonly string[];

/** For an editor who does not say what was read. */
export const unasked = (): readonly string[] => [];

/** Throws `changed_meanwhile`: what one editor saved is not lost to another who began before. */
export const refuseChanged = (fields: readonly string[]): void => {
  if (fields.length > 0) throw refuse('changed_meanwhile', { fields: fields.join(', ') });
};
