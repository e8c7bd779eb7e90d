import { refuse } from './refuse.ts';

/** Of the fields that an editor changes, those that others have changed since the editor read the object. */
export type ChangedSince<Row> = (now: Row) => readonly string[];

/** For an editor whose request does not state what was read. */
export const unasked = (): readonly string[] => [];

/** Throws `changed_meanwhile`, so that one editor does not overwrite what another saved in between. */
export const refuseChanged = (fields: readonly string[]): void => {
  if (fields.length > 0) throw refuse('changed_meanwhile', { fields: fields.join(', ') });
};
