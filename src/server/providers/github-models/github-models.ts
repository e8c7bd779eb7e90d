import { fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';

/** Source: docs.github.com/rest/models. The list of models is a bare array, at another path. */
export const githubModels = openaiLayout({
  types: [106],
  prefix: '/inference',
  offers: { chat: {}, embeddings: {}, models: { path: '/catalog/models' } },
  headers: () => ({ 'x-github-api-version': '2022-11-28' }),
  readModels: (body) => listOf(body).flatMap((model) => textOf(fieldsOf(model)['id']) ?? []),
});
