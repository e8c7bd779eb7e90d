import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { named } from '../shared/description/model-lists.ts';

/** Embeddings in OpenAI's format, reranking in Cohere's. */
export const jina = openaiLayout({
  types: [38],
  prefix: '/v1',
  offers: { embeddings: {}, rerank: {} },
  errorPatterns: PAYMENT_REQUIRED,
  // jina.ai/models
  models: named(`jina-embeddings-v5-text-small jina-embeddings-v5-text-nano jina-embeddings-v5-omni-small
    jina-embeddings-v5-omni-nano jina-embeddings-v4 jina-embeddings-v3 jina-code-embeddings-1.5b
    jina-code-embeddings-0.5b jina-clip-v2 jina-reranker-v3 jina-reranker-m0 jina-reranker-v2-base-multilingual`),
});
