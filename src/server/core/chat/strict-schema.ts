import type { Fields } from '../json/fields.ts';

const MAX_DEPTH = 32;

/**
 * Whether a schema may be marked strict everywhere: strict schemas must close every object and require every property
 * (platform.openai.com/docs, structured outputs); upstreams refuse others marked strict.
 */
export const isStrictSchema = (value: unknown, depth = 0): boolean => {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isStrictSchema(item, depth + 1));
  if (typeof value !== 'object' || value === null) return true;
  const schema = value as Fields;
  return (
    isClosed(schema) && Object.entries(schema).every(([key, inner]) => isKeywordStrict(key, inner, depth))
  );
};

const isClosed = ({ type, properties, required, additionalProperties }: Fields): boolean => {
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!isObject && properties === undefined) return true;
  const names = Object.keys((properties ?? {}) as Fields);
  return (
    additionalProperties === false &&
    Array.isArray(required) &&
    names.every((name) => required.includes(name))
  );
};

/** Property and definition names are not keywords; examples and defaults contain no schemas. */
const isKeywordStrict = (key: string, inner: unknown, depth: number): boolean => {
  if (key === 'properties' || key === '$defs' || key === 'definitions')
    return Object.values((inner ?? {}) as Fields).every((schema) => isStrictSchema(schema, depth + 1));
  if (key === 'anyOf' || key === 'items') return isStrictSchema(inner, depth + 1);
  return key !== 'oneOf' && key !== 'allOf' && key !== 'not' && key !== 'patternProperties';
};
