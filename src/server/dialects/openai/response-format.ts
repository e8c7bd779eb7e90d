import type { ResponseFormat } from '#core/chat/request.ts';
import { isFields, textOf, type Fields } from '#core/json/fields.ts';

/** The name of a schema without one: OpenAI's formats require it. */
const UNNAMED = 'response';

/**
 * Reads the answer format, as in both OpenAI formats and compatible ones. `named`: the object with the schema and its
 * name. Some requests give it no name, put it beside the type, or ask for JSON in general and add a schema.
 */
export const readFormat = (format: Fields, named: Fields): ResponseFormat | undefined => {
  switch (format['type']) {
    case 'text':
      return { type: 'text' };
    case 'json_object':
      return isFields(format['schema']) ? schemaFormat(format['schema'], named) : { type: 'json' };
    case 'json_schema': {
      const schema = named['schema'] ?? format['schema'] ?? (isSchema(named) ? named : undefined);
      if (schema === undefined || schema === null) return { type: 'json' };
      return schemaFormat(schema, schema === named ? {} : named);
    }
    default:
      return undefined;
  }
};

const schemaFormat = (schema: unknown, { name, description, strict }: Fields): ResponseFormat => ({
  type: 'json-schema',
  name: textOf(name) ?? UNNAMED,
  schema,
  ...(typeof description === 'string' && { description }),
  ...(typeof strict === 'boolean' && { strict }),
});

/** A schema without a wrapper: `properties` and the like are not fields of this format. */
const isSchema = (fields: Fields): boolean =>
  ['properties', '$ref', 'anyOf', 'items', '$defs'].some((key) => fields[key] !== undefined) ||
  (textOf(fields['type']) !== undefined && fields['type'] !== 'json_schema');

const GRAMMAR = /^[\w-]{1,64}$/;

/** Makes the name of a schema valid for OpenAI; only the model reads it. */
export const schemaName = (name: string): string =>
  GRAMMAR.test(name) ? name : name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || UNNAMED;
