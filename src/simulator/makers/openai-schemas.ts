import { asJson, asList, type Json } from '../wire.ts';
import { firstOf, objectsIn, type Rule } from './rule.ts';

const isList = ({ type }: Json): boolean => type === 'array' || asList(type).includes('array');

/** What is missing in a schema at any depth, as OpenAI says it; the names of properties are the caller's own. */
const missingIn = (value: unknown, context: readonly string[] = []): string | undefined => {
  if (Array.isArray(value)) return firstOf(value, (inner, at) => missingIn(inner, [...context, String(at)]));
  const schema = asJson(value);
  if (isList(schema) && schema['items'] === undefined)
    return `In context=(${context.map((name) => `'${name}'`).join(', ')}), array schema missing items`;
  return firstOf(Object.entries(schema), ([name, inner]) =>
    name === 'properties'
      ? firstOf(Object.entries(asJson(inner)), ([own, one]) => missingIn(one, [...context, name, own]))
      : missingIn(inner, [...context, name]),
  );
};

const REFUSED_AT_TOP = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'] as const;

const refusedAtTop = (schema: Json): string | undefined =>
  REFUSED_AT_TOP.some((word) => schema[word] !== undefined)
    ? "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level"
    : undefined;

/** What a strict schema leaves open at any depth, as OpenAI says it. */
const openIn = (value: unknown, context: readonly string[] = []): string | undefined => {
  if (Array.isArray(value)) return firstOf(value, (inner, at) => openIn(inner, [...context, String(at)]));
  const schema = asJson(value);
  const where = `In context=(${context.map((name) => `'${name}'`).join(', ')})`;
  const names = Object.keys(asJson(schema['properties']));
  const missing = names.find((name) => !asList(schema['required']).includes(name));
  if (schema['type'] === 'object' && schema['additionalProperties'] !== false)
    return `${where}, 'additionalProperties' is required to be supplied and to be false`;
  if (missing !== undefined)
    return `${where}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'`;
  return firstOf(Object.entries(schema), ([name, inner]) =>
    name === 'properties' || name === '$defs'
      ? firstOf(Object.entries(asJson(inner)), ([own, one]) => openIn(one, [...context, name, own]))
      : openIn(inner, [...context, name]),
  );
};

/** What OpenAI refuses in the parameters of functions; other makers take it, unless the function is strict. */
export const schemaRule: Rule = {
  source:
    'openai-agents-python#449: "object schema missing properties"; claude-code#37642: "array schema missing items"; ' +
    'langchainjs#9804; langmem#113: "an array including every key in properties"',
  broken: (body) =>
    firstOf(objectsIn(body['tools']), (tool) => {
      const { name, parameters, strict } = tool['function'] === undefined ? tool : asJson(tool['function']);
      if (parameters === undefined || parameters === null) return undefined;
      const { type, properties } = asJson(parameters);
      const missing =
        type === 'object' && properties === undefined
          ? 'In context=(), object schema missing properties'
          : (refusedAtTop(asJson(parameters)) ??
            missingIn(parameters) ??
            (strict === true ? openIn(parameters) : undefined));
      return missing && `Invalid schema for function '${String(name)}': ${missing}.`;
    }),
};
