import { isCostName } from './hide-costs.ts';
import { redact } from './redact.ts';
import { isFields, otherFields, type Fields } from '#core/json/fields.ts';

const MOST_CHARACTERS = 8192;
const DEEPEST = 8;

/**
 * What an upstream's error says beside what every format has a place for (`details`, Azure's `innererror`, …), without
 * keys, addresses, names of accounts and what the operator pays. Undefined where there is nothing, or too much to be meant for a person.
 */
export const errorExtras = (error: Fields, known: ReadonlySet<string>): Fields | undefined => {
  const others = otherFields(error, known);
  if (others === undefined || JSON.stringify(others).length > MOST_CHARACTERS) return undefined;
  const clean = cleaned(others, 0);
  return isFields(clean) ? clean : undefined;
};

const cleaned = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return undefined;
  if (Array.isArray(value)) return value.map((item: unknown) => cleaned(item, depth + 1));
  const told = Object.entries(value).filter(([key]) => !isCostName(key));
  return Object.fromEntries(told.map(([key, inner]) => [key, cleaned(inner, depth + 1)]));
};
