/*
 * PostgreSQL stores no NUL, and a statement that has one fails whole; half a character comes back from either engine as another
 * one. Upstreams and callers may write both into any text, so they are replaced where texts go into the database, on both
 * engines alike: what is written is found again by the same text, and a backup of one engine fits the other.
 */

const NUL = '\0';
/** What Unicode shows in place of what cannot be shown. */
const REPLACEMENT = '\uFFFD';

/** The text as both engines store it. */
export const storable = (text: string): string => {
  const whole = text.toWellFormed();
  return whole.includes(NUL) ? whole.replaceAll(NUL, REPLACEMENT) : whole;
};

/** The parameters of a statement as both engines store them. */
export const storableParameters = (parameters: readonly unknown[]): unknown[] =>
  parameters.map((value) => (typeof value === 'string' ? storable(value) : value));
