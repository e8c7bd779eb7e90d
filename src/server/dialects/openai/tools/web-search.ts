import type { WebSearch } from '#core/chat/request.ts';
import { fieldsOf, listOf, textOf } from '#core/json/fields.ts';

interface Asked {
  readonly allowed?: unknown;
  readonly blocked?: unknown;
  readonly contextSize?: unknown;
  readonly mostSearches?: unknown;
  readonly place?: unknown;
}

const PLACE = ['city', 'region', 'country', 'timezone'] as const;

/** The valid search options of a caller, from any format. */
export const webSearch = ({ allowed, blocked, contextSize, mostSearches, place }: Asked): WebSearch => {
  const [from, not] = [allowed, blocked].map((list) => listOf(list).flatMap((name) => textOf(name) ?? []));
  const given = fieldsOf(place);
  const known = PLACE.flatMap((name) => {
    const value = textOf(given[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...(from !== undefined && from.length > 0 && { allowedDomains: from }),
    ...(not !== undefined && not.length > 0 && { blockedDomains: not }),
    ...(isSize(contextSize) && { contextSize }),
    ...(typeof mostSearches === 'number' && { mostSearches }),
    ...(known.length > 0 && { place: Object.fromEntries(known) }),
  };
};

const isSize = (value: unknown): value is 'low' | 'medium' | 'high' =>
  value === 'low' || value === 'medium' || value === 'high';
