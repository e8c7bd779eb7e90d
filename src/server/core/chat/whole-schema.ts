import { fieldsOf, isFields, type Fields } from '../json/fields.ts';
import { CHOICES, flatSchema, type FlatSchema } from '../json/flat-schema.ts';
import type { ChatRequest, ResponseFormat, Tool } from './request.ts';
import { isStrictSchema } from './strict-schema.ts';

/** The keywords whose values are schemas, lists of schemas, and schemas by name. */
const ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'] as const;
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions'] as const;

/** A conversation sends the same tools with every call; each of their schemas is walked once. */
const known = new WeakMap<Fields, Fields>();
const flattened = new WeakMap<Fields, FlatSchema>();
const strict = new WeakMap<Fields, boolean>();

/** Keywords that OpenAI refuses at the top of parameters ("schema must … not have 'oneOf' … at the top level"). */
const REFUSED = [...CHOICES, 'not', 'enum'];

/**
 * The request with its schemas as OpenAI takes them: it refuses a list without `items`, and parameters without `properties`
 * ("array schema missing items", "object schema missing properties") or with a choice at their top, as other makers and MCP
 * servers write them. The same object if nothing is refused.
 */
export const withWholeSchemas = (request: ChatRequest): ChatRequest => {
  const { tools, responseFormat } = request;
  const fitted = tools?.map(withWholeParameters);
  const format = responseFormat && withWholeFormat(responseFormat);
  const isSame = format === responseFormat && fitted?.every((tool, at) => tool === tools?.[at]) !== false;
  if (isSame) return request;
  return {
    ...request,
    ...(fitted !== undefined && { tools: fitted }),
    ...(format !== undefined && { responseFormat: format }),
  };
};

const withWholeParameters = (tool: Tool): Tool => {
  const { parameters: given, strict: _, ...rest } = tool;
  if (!isFields(given)) return tool;
  if (REFUSED.some((word) => given[word] !== undefined)) return { ...rest, ...flat(given, tool.description) };
  const parameters = wholeObject(given);
  // OpenAI refuses strict tools whose schemas leave anything open; Anthropic's may have optional fields.
  const isLoose = tool.strict === true && !mayBeStrict(parameters);
  if (isLoose) return { ...rest, parameters };
  return parameters === given ? tool : { ...tool, parameters };
};

const mayBeStrict = (schema: Fields): boolean => {
  let may = strict.get(schema);
  if (may === undefined) strict.set(schema, (may = isStrictSchema(schema)));
  return may;
};

/** What is only described in words cannot be enforced, so the tool is no longer strict. */
const flat = (given: Fields, description: string | undefined): Pick<Tool, 'parameters' | 'description'> => {
  let fitted = flattened.get(given);
  if (fitted === undefined) flattened.set(given, (fitted = flatSchema(given, REFUSED)));
  const { schema, inWords } = fitted;
  return {
    parameters: wholeObject(schema),
    description: [description, inWords].filter((text) => text !== undefined).join('\n\n'),
  };
};

const withWholeFormat = (format: ResponseFormat): ResponseFormat => {
  if (format.type !== 'json-schema' || !isFields(format.schema)) return format;
  const schema = whole(format.schema);
  return schema === format.schema ? format : { ...format, schema };
};

/** The schema of parameters, which describes an object even if it does not say so. */
const wholeObject = (schema: Fields): Fields => {
  const fitted = whole(schema);
  const { type, properties } = fitted;
  if (type === 'object' && isFields(properties)) return fitted;
  const isPlain = type === 'object' || isFields(properties) || Object.keys(fitted).length === 0;
  return isPlain ? { properties: {}, ...fitted, type: type ?? 'object' } : fitted;
};

const whole = (schema: Fields): Fields => {
  let fitted = known.get(schema);
  if (fitted === undefined) known.set(schema, (fitted = walked(schema)));
  return fitted;
};

/** The schema with `items` added to every list that lacks them. */
const walked = (schema: Fields): Fields => {
  const changed: Record<string, unknown> = {};
  for (const name of ONE) {
    const inner = schema[name];
    if (isFields(inner)) note(changed, name, inner, whole(inner));
  }
  for (const name of LISTS) {
    const list = schema[name];
    if (Array.isArray(list)) note(changed, name, list, each(list));
  }
  for (const name of NAMED) {
    const inner = schema[name];
    if (isFields(inner)) note(changed, name, inner, eachNamed(inner));
  }
  const { type, items } = schema;
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  if (isList && (items === undefined || items === null)) changed['items'] = {};
  return Object.keys(changed).length === 0 ? schema : { ...schema, ...changed };
};

const note = (changed: Record<string, unknown>, name: string, before: unknown, after: unknown): void => {
  if (after !== before) changed[name] = after;
};

const each = (list: readonly unknown[]): readonly unknown[] => {
  const fitted = list.map((inner) => (isFields(inner) ? whole(inner) : inner));
  return fitted.every((inner, at) => inner === list[at]) ? list : fitted;
};

const eachNamed = (schemas: Fields): Fields => {
  const entries = Object.entries(schemas).map(([name, inner]): [string, unknown] => [
    name,
    isFields(inner) ? whole(inner) : inner,
  ]);
  return entries.every(([name, inner]) => inner === schemas[name])
    ? schemas
    : fieldsOf(Object.fromEntries(entries));
};
