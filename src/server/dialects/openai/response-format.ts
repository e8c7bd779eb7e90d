import type { ResponseFormat } from '#core/chat/request.ts';
import { isFields, textOf, type Fields } from './fields.ts';

/** What a schema is called that its caller gave no name: OpenAI's formats ask for one. */
const UNNAMED = 'response';

/**
 * The format of an answer, as both formats of OpenAI and their look-alikes say it. `named`: where the schema stands with its
 * name. Some give it no name, put it beside the type, or ask for JSON in general and add a schema.
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

/** Without the name around it: `properties` and the like are no words of this format. */
const isSchema = (fields: Fields): boolean =>
  ['properties', '$ref', 'anyOf', 'items', '$defs'].some((key) => fields[key] !== undefined) ||
  (textOf(fields['type']) !== undefined && fields['type'] !== 'json_schema');

const GRAMMAR = /^[\w-]{1,64}$/;

/** The name of a schema as OpenAI takes it: nobody reads it but the model. */
export const schemaName = (name: string): string =>
  GRAMMAR.test(name) ? name : name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || UNNAMED;
