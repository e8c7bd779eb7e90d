import { gemini as geminiDialect } from '../../dialects/gemini/gemini.ts';
import { fieldsOf, listOf, textOf } from '../../dialects/openai/fields.ts';
import { baseUrlOf, bearer, contentHeaders } from '../openai-layout.ts';
import type { Addressed, Provider } from '../provider.ts';

const VERSION = 'v1beta';

/** The model and what to do with it stand in the path; embeddings are only offered in OpenAI's format. */
const pathOf = ({ operation, model, stream, apiVersion = VERSION }: Addressed): string => {
  if (operation === 'embeddings') return '/v1beta/openai/embeddings';
  if (operation === 'models') return `/${apiVersion}/models`;
  const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return `/${apiVersion}/models/${encodeURIComponent(model)}:${method}`;
};

/** Google AI Studio. */
export const gemini: Provider = {
  dialect: geminiDialect,
  operations: ['chat', 'embeddings', 'models'],
  address: (channel, call) => ({
    url: baseUrlOf(channel).replace(/\/v1(?:beta)?$/, '') + pathOf(call),
    headers: {
      ...contentHeaders(call),
      ...(call.operation === 'embeddings'
        ? bearer(channel)
        : { 'x-goog-api-key': channel.key.reveal().trim() }),
    },
  }),
  readModels: (body) =>
    listOf(fieldsOf(body)['models'])
      .map((model) => textOf(fieldsOf(model)['name'])?.replace(/^models\//, ''))
      .filter((name) => name !== undefined),
};
