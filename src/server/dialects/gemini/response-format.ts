import type { ResponseFormat } from '#core/chat/request.ts';
import type { Fields } from '../openai/fields.ts';
import { toJsonSchema } from './schema.ts';

/** This format gives its schemas no name; formats that ask for one get this. */
const SCHEMA_NAME = 'response';

/** The shape of the answer that `generationConfig` asks for; other media types are kept as extras. */
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

/** JSON Schema goes out as it is: models that read only the older `Schema` are the provider's to serve. */
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
