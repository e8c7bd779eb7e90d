import { isFields, listOf, type Fields, numberOf, wordOf } from '#core/json/fields.ts';

const MAX_DEPTH = 64;
const MAX_NODES = 5000;
/** Numbers that protobuf JSON writes as text. */
const COUNTS = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']);

/** The fields of a `Schema` in this format (ai.google.dev/api/caching#Schema); others are refused. */
const KNOWN = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'items',
  'properties',
  'required',
  'propertyOrdering',
  'anyOf',
  'default',
  'example',
  'minimum',
  'maximum',
  'pattern',
  ...COUNTS,
]);
const FORMATS = new Set(['enum', 'date-time', 'float', 'double', 'int32', 'int64']);

/** A `Schema` of this format (OpenAPI 3.0, types in capitals, `nullable`) as JSON Schema. */
export const toJsonSchema = (value: unknown, depth = 0): unknown => {
  if (!isFields(value) || depth > MAX_DEPTH) return value;
  const schema: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    if (key === 'nullable' || field === null) continue;
    if (key === 'type') schema['type'] = typeof field === 'string' ? field.toLowerCase() : field;
    else if (key === 'items') schema['items'] = toJsonSchema(field, depth + 1);
    else if (key === 'anyOf') schema['anyOf'] = listOf(field).map((item) => toJsonSchema(item, depth + 1));
    else if (key === 'properties')
      schema['properties'] = ofEach(field, (item) => toJsonSchema(item, depth + 1));
    else schema[key] = COUNTS.has(key) ? numberOf(field) : field;
  }
  if (value['nullable'] === true && typeof schema['type'] === 'string')
    schema['type'] = [schema['type'], 'null'];
  return schema;
};

/**
 * JSON Schema as a `Schema` of this format, for models that do not read JSON Schema itself. References are resolved,
 * `const` becomes an `enum` of one, `oneOf` becomes `anyOf`, `allOf` is laid over its parent, a list of types becomes
 * `nullable` or `anyOf`; what has no place (`additionalProperties`, `patternProperties`, `not`, other formats) is left
 * out, as docs/dialects.md says.
 */
export const toOpenApi = (value: unknown): unknown =>
  open(value, { fields: definitionsOf(value), nodesLeft: MAX_NODES }, 0);

/**
 * Schema definitions, and how much more references may expand: definitions that refer to each other can expand forever.
 */
interface Definitions {
  readonly fields: Fields;
  nodesLeft: number;
}

const open = (value: unknown, definitions: Definitions, depth: number): unknown => {
  if (!isFields(value)) return value === true ? {} : value;
  definitions.nodesLeft -= 1;
  if (depth > MAX_DEPTH || definitions.nodesLeft < 0) return { type: 'OBJECT' };
  const resolved = laidOver(resolve(value, definitions), definitions);
  const schema: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(resolved)) {
    if (key === 'type') writeType(schema, field);
    else if (key === 'const') schema['enum'] = [wordOf(field)];
    else if (key === 'enum')
      schema['enum'] = listOf(field)
        .filter((item) => item !== null)
        .map(wordOf);
    else if (key === 'items') schema['items'] = open(field, definitions, depth + 1);
    else if (key === 'anyOf' || key === 'oneOf') writeChoices(schema, listOf(field), definitions, depth);
    else if (key === 'properties')
      schema['properties'] = ofEach(field, (item) => open(item, definitions, depth + 1));
    else if (key === 'format') {
      if (typeof field === 'string' && FORMATS.has(field)) schema['format'] = field;
    } else if (KNOWN.has(key)) schema[key] = field;
  }
  // Enum values must be texts here; numbers are written as texts.
  if (schema['enum'] !== undefined) schema['type'] = 'STRING';
  return schema;
};

const writeType = (schema: Record<string, unknown>, type: unknown): void => {
  const types = (Array.isArray(type) ? type : [type]).map(wordOf);
  const real = types.filter((name) => name !== 'null').map((name) => name.toUpperCase());
  if (real.length < types.length) schema['nullable'] = true;
  if (real.length > 1) schema['anyOf'] = real.map((name) => ({ type: name }));
  else schema['type'] = real[0] ?? 'STRING';
};

const writeChoices = (
  schema: Record<string, unknown>,
  choices: readonly unknown[],
  definitions: Definitions,
  depth: number,
): void => {
  const real = choices.filter((choice) => !isFields(choice) || choice['type'] !== 'null');
  if (real.length < choices.length) schema['nullable'] = true;
  const opened = real.map((choice) => open(choice, definitions, depth + 1));
  if (opened.length === 1 && isFields(opened[0])) Object.assign(schema, opened[0]);
  else schema['anyOf'] = opened;
};

const laidOver = (schema: Fields, definitions: Definitions): Fields => {
  if (!Array.isArray(schema['allOf'])) return schema;
  const { allOf, ...own } = schema;
  let merged: Fields = {};
  for (const part of [...listOf(allOf), own]) {
    const next = isFields(part) ? resolve(part, definitions) : {};
    merged = {
      ...merged,
      ...next,
      ...(isFields(merged['properties']) &&
        isFields(next['properties']) && { properties: { ...merged['properties'], ...next['properties'] } }),
      ...(Array.isArray(merged['required']) &&
        Array.isArray(next['required']) && {
          required: [...new Set<unknown>([...listOf(merged['required']), ...listOf(next['required'])])],
        }),
    };
  }
  return merged;
};

/** Resolves a `$ref` within the schema; a circular one ends as an object. */
const resolve = (schema: Fields, definitions: Definitions): Fields => {
  let current = schema;
  for (let steps = 0; typeof current['$ref'] === 'string'; steps += 1) {
    const { $ref: reference, ...beside } = current;
    const target = definitions.fields[reference.slice(reference.lastIndexOf('/') + 1)];
    if (!isFields(target) || steps > 16) return { type: 'object', ...beside };
    current = { ...target, ...beside };
  }
  return current;
};

const definitionsOf = (value: unknown): Fields => {
  if (!isFields(value)) return {};
  const { $defs: newer, definitions: older } = value;
  return { ...(isFields(older) && older), ...(isFields(newer) && newer) };
};

const ofEach = (value: unknown, change: (item: unknown) => unknown): unknown =>
  isFields(value)
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]))
    : value;
