import type { ResponseFormat } from '#core/chat/request.ts';
import type { Fields } from '#core/json/fields.ts';
import { toJsonSchema } from './schema.ts';

/** The name of a schema for formats that require one; this format has none. */
const SCHEMA_NAME = 'response';

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
