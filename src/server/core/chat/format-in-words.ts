import { fieldsOf } from '../json/fields.ts';
import type { ChatRequest, ResponseFormat } from './request.ts';

const JSON_ONLY = 'Answer with one valid JSON object and nothing else.';

const ANY_JSON = 'Answer with one valid JSON value and nothing else.';

/** Whether a JSON schema describes objects, rather than lists or plain values. */
export const isObjectSchema = (schema: unknown): boolean => {
  const { type } = fieldsOf(schema);
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
};

/** The answer's format as an instruction, for models that have no field for it; undefined for plain text. */
export const formatInWords = (format: ResponseFormat | undefined): string | undefined => {
  if (format === undefined || format.type === 'text') return undefined;
  if (format.type === 'json') return JSON_ONLY;
  const { schema } = format;
  const rule = isObjectSchema(schema) ? JSON_ONLY : ANY_JSON;
  return `${rule} It fits this JSON schema: ${JSON.stringify(schema)}`;
};

/** The request with that instruction after its system messages. */
export const withFormatInWords = (request: ChatRequest): ChatRequest => {
  const text = formatInWords(request.responseFormat);
  if (text === undefined) return request;
  const { messages } = request;
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const at = first === -1 ? messages.length : first;
  return {
    ...request,
    messages: messages.toSpliced(at, 0, { role: 'system', content: [{ type: 'text', text }] }),
  };
};
