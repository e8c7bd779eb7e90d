import { isFields, type Fields, numberOf } from '#core/json/fields.ts';

/** Keywords that this format's schemas do not support (platform.claude.com/docs, structured outputs). */
const UNKNOWN = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
]);

/** Keywords of Google's schemas that only say in which order fields are written. */
const ORDERS: ReadonlySet<string> = new Set(['propertyOrdering', 'property_ordering']);

/**
 * Converts a JSON schema for this format: closes objects, and moves unsupported limits into the description. A schema
 * that fits already stays equal.
 */
export const fitSchema = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(fitSchema);
  if (!isFields(schema)) return schema;
  const fitted: Record<string, unknown> = {};
  const limits: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (ORDERS.has(key)) continue;
    if (typeof value !== 'object' && isUnknown(key, value))
      limits.push(`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
    else fitted[key] = key === 'properties' || key === '$defs' ? fitEach(value) : fitInner(key, value);
  }
  if (fitted['type'] === 'object' && isFields(fitted['properties'])) fitted['additionalProperties'] = false;
  if (limits.length > 0) {
    const before = typeof schema['description'] === 'string' ? `${schema['description']} ` : '';
    fitted['description'] = `${before}(${limits.join(', ')})`;
  }
  return fitted;
};

const isUnknown = (key: string, value: unknown): boolean =>
  UNKNOWN.has(key) || (key === 'minItems' && numberOf(value) > 1);

/** Property names are not keywords. */
const fitEach = (value: unknown): unknown =>
  isFields(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, schema]): [string, unknown] => [name, fitSchema(schema)]),
      )
    : value;

/** Keywords whose values are data, not schemas: an example may have any field. */
const LITERAL = new Set(['enum', 'const', 'default', 'examples', 'required']);

const fitInner = (key: string, value: unknown): unknown =>
  LITERAL.has(key) ? value : fitSchema(value as Fields);
