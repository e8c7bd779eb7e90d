import { openaiLayout } from '../shared/description/openai-layout.ts';
import { named } from '../shared/description/model-lists.ts';

/** A server that offers only embeddings, in OpenAI's format. */
export const embeddingModel = openaiLayout({
  types: [44],
  prefix: '/v1',
  offers: { embeddings: {} },
  models: named('m3e-base m3e-large m3e-small'),
});
