import type { ChatRequest, ResponseFormat } from './request.ts';

const JSON_ONLY = 'Answer with one valid JSON object and nothing else.';

/** The answer's format as an instruction, for models that have no field for it; undefined for plain text. */
export const formatInWords = (format: ResponseFormat | undefined): string | undefined => {
  if (format === undefined || format.type === 'text') return undefined;
  if (format.type === 'json') return JSON_ONLY;
  return `${JSON_ONLY} It fits this JSON schema: ${JSON.stringify(format.schema)}`;
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
