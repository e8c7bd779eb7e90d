import { isGiven } from './fields.ts';

/** Leaves the choice to the model, as a missing field does. */
const NEUTRAL = /^(?:auto|default|(?:\w+_)?unspecified)?$/i;

/**
 * Whether a field that changes the answer has a value that is not known. A conversion would drop it in silence, so upstreams of
 * other formats are not asked.
 */
export const isUnknownWord = (value: unknown, isKnown: (value: unknown) => boolean): boolean =>
  isGiven(value) && !isKnown(value) && !(typeof value === 'string' && NEUTRAL.test(value));
