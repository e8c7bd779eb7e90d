import { AppError } from '#core/error.ts';
import { isFields, type Fields } from '#core/json/fields.ts';

/** `invalid_request`: what stands at this place of a caller's body cannot be read, and would be lost in another format. */
export const misshapen = (param: string, why: string): AppError =>
  new AppError('invalid_request', `'${param}' ${why}`, { param });

/** Names an item of a list as callers of the format do: `input.2`, `contents[2]`. */
type PlaceIn = (list: string, at: number) => string;

/** `input.2` */
export const byDot: PlaceIn = (list, at) => `${list}.${at}`;

/** The objects of a caller's list; none if it is missing. Throws `invalid_request`, naming the place, for anything else. */
export const listedFields = (value: unknown, param: string, placeIn: PlaceIn = byDot): readonly Fields[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw misshapen(param, 'must be a list');
  const list: readonly unknown[] = value;
  if (list.every(isFields)) return list;
  const at = list.findIndex((one) => !isFields(one));
  throw misshapen(placeIn(param, at), 'must be an object');
};

/**
 * The parts of a caller's content. Throws `invalid_request`, naming the part, for one without a type or, if `words` has its
 * type, without its text.
 */
export const listedParts = (
  value: unknown,
  param: string,
  words: ReadonlySet<unknown>,
): readonly Fields[] => {
  const parts = listedFields(value, param);
  // Every part of every message comes here: faster than `entries`, and names are only made for errors.
  let at = 0;
  for (const { type, text } of parts) {
    if (typeof type !== 'string') throw misshapen(byDot(param, at), 'needs a type');
    if (typeof text !== 'string' && words.has(type))
      throw misshapen(`${byDot(param, at)}.text`, 'must be a text');
    at += 1;
  }
  return parts;
};
