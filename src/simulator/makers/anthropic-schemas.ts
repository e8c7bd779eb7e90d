import { asJson, type Json } from '../wire.ts';
import { firstOf, objectsIn, type Rule, shown } from './rule.ts';

/** Limits that cannot be enforced while an answer is sampled (platform.claude.com/docs, structured outputs). */
const UNENFORCED = ['maximum', 'minimum', 'multipleOf', 'maxLength', 'minLength', 'maxItems', 'uniqueItems'];

/** What cannot be enforced in a schema at any depth, as Anthropic says it; the names of properties are the caller's own. */
const unenforcedIn = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return firstOf(value, unenforcedIn);
  const schema = asJson(value);
  const type = shown(schema['type']);
  const limits = UNENFORCED.filter((word) => schema[word] !== undefined);
  if (limits.length === 1) return `For '${type}' type, property '${limits[0]}' is not supported`;
  if (limits.length > 1) return `For '${type}' type, properties ${limits.join(', ')} are not supported`;
  if (type === 'object' && schema['additionalProperties'] !== false)
    return "For 'object' type, 'additionalProperties' must be explicitly set to false";
  return firstOf(Object.entries(schema), ([name, inner]) =>
    name === 'properties' || name === '$defs'
      ? firstOf(Object.values(asJson(inner)), unenforcedIn)
      : unenforcedIn(inner),
  );
};

const strictTools = (body: Json): readonly Json[] =>
  objectsIn(body['tools']).filter(({ strict }) => strict === true);

/** What Anthropic refuses in the schemas of tools. */
export const schemaRules: readonly Rule[] = [
  {
    source: 'claude-code#40075: "input_schema does not support oneOf, allOf, or anyOf at the top level"',
    broken: (body) =>
      firstOf(objectsIn(body['tools']), ({ input_schema: schema }, at) =>
        ['oneOf', 'allOf', 'anyOf'].some((word) => asJson(schema)[word] !== undefined)
          ? `tools.${at}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`
          : undefined,
      ),
  },
  {
    source: 'earendil-works/pi#9953: "For \'integer\' type, properties maximum, minimum are not supported"',
    broken: (body) =>
      firstOf(objectsIn(body['tools']), ({ strict, input_schema: schema }, at) => {
        const problem = strict === true ? unenforcedIn(schema) : undefined;
        return problem && `tools.${at}.custom: ${problem}`;
      }),
  },
  {
    source: 'langchain4j#5128, genkit#5230: at most 20 strict tools',
    broken: (body) =>
      strictTools(body).length > 20
        ? 'Schema is too complex for compilation. Try reducing the number of tools or simplifying tool schemas.'
        : undefined,
  },
];
