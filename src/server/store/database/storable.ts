// Makes texts storable. PostgreSQL cannot store NUL and fails the whole statement; a lone surrogate comes back from
// either engine changed. Upstreams and callers may send both in any text, so both are replaced before storing, in the
// same way on both engines: a stored text is found again by the same text, and a backup of one engine fits the other.

const NUL = '\0';
/** Unicode's replacement character. */
const REPLACEMENT = '\uFFFD';

/** The text as both engines can store it. */
export const storable = (text: string): string => {
  const whole = text.toWellFormed();
  return whole.includes(NUL) ? whole.replaceAll(NUL, REPLACEMENT) : whole;
};

/** The parameters of a statement as both engines can store them. */
export const storableParameters = (parameters: readonly unknown[]): unknown[] =>
  parameters.map((value) => (typeof value === 'string' ? storable(value) : value));
