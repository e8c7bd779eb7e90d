import type { ResponseFormat } from '#core/chat/request.ts';
import { type Fields, isFields, ownOf, textOf } from '#core/json/fields.ts';
import { camelFields } from '../fields.ts';
import { toJsonSchema } from './schema.ts';

/** The name of a schema for formats that require one; this format has none. */
const SCHEMA_NAME = 'response';

const TYPE_WORDS: Readonly<Record<string, string>> = {
  application_json: 'application/json',
  text_plain: 'text/plain',
};

/**
 * The same `generationConfig` with the newer field `responseFormat` as the older ones, if it only says how a text is written.
 * Source: Google's own client library, November 2026.
 */
export const withOlderFormat = (config: Fields): Fields => {
  const { responseFormat, ...rest } = config;
  const [only, more] = Array.isArray(responseFormat) ? (responseFormat as unknown[]) : [responseFormat];
  const isText = isFields(only) && more === undefined && Object.keys(only).every((name) => name === 'text');
  const { mimeType, schema, ...others } = isText ? camelFields(only['text']) : {};
  const word = textOf(mimeType)?.toLowerCase();
  if (!isText || Object.keys(others).length > 0 || (word === undefined && schema === undefined))
    return config;
  return {
    ...rest,
    responseMimeType: word === undefined ? 'application/json' : (ownOf(TYPE_WORDS, word) ?? word),
    ...(schema !== undefined && schema !== null && { responseJsonSchema: schema }),
  };
};

/** The answer format of `generationConfig`; other media types are stored as extras. */
export const readResponseFormat = (
  config: Fields,
): { readonly responseFormat?: ResponseFormat; readonly extras?: Fields } => {
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config;
  const schema = responseJsonSchema ?? (responseSchema ? toJsonSchema(responseSchema) : undefined);
  if (type === 'text/plain') return { responseFormat: { type: 'text' } };
  if (type === 'application/json' || (type === undefined && schema !== undefined))
    return {
      responseFormat:
        schema === undefined ? { type: 'json' } : { type: 'json-schema', name: SCHEMA_NAME, schema },
    };
  if (type === undefined || type === null) return {};
  return {
    extras: {
      responseMimeType: type,
      ...(responseSchema !== undefined && { responseSchema }),
      ...(responseJsonSchema !== undefined && { responseJsonSchema }),
    },
  };
};

/** JSON Schema is sent unchanged; the provider converts it for models that only read the older `Schema`. */
export const writeResponseFormat = (format: ResponseFormat): Fields => {
  switch (format.type) {
    case 'text':
      return { responseMimeType: 'text/plain' };
    case 'json':
      return { responseMimeType: 'application/json' };
    case 'json-schema':
      return { responseMimeType: 'application/json', responseJsonSchema: format.schema };
  }
};
