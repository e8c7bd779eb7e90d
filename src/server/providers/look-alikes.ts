import { adjustForLookAlikes, withoutDeveloper } from './adjust-chat.ts';
import { openaiLayout } from './openai-layout.ts';
import type { Provider } from './provider.ts';

/** Kinds that differ from OpenAI by a path and little else, each as its public reference describes it. */

export const ollama: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'completions', 'embeddings', 'models'],
  adjust: adjustForLookAlikes,
});

export const alibaba: Provider = openaiLayout({
  prefix: '/compatible-mode/v1',
  operations: ['chat', 'completions', 'embeddings', 'models'],
  adjust: adjustForLookAlikes,
});

export const ai360: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'embeddings', 'models'],
  adjust: adjustForLookAlikes,
});

export const moonshot: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'models'],
  adjust: withoutDeveloper,
});

export const zhipu: Provider = openaiLayout({
  prefix: '/api/paas/v4',
  operations: ['chat', 'embeddings', 'models', 'images'],
  adjust: adjustForLookAlikes,
});

export const lingyiwanwu: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'completions', 'models'],
  adjust: adjustForLookAlikes,
});

export const minimax: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'models'],
  adjust: withoutDeveloper,
});

export const jina: Provider = openaiLayout({ prefix: '/v1', operations: ['embeddings', 'rerank'] });

export const siliconcloud: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'completions', 'embeddings', 'models', 'images', 'speech', 'transcriptions', 'rerank'],
  adjust: adjustForLookAlikes,
});

export const deepseek: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'completions', 'models'],
  // Its old completions are a beta beside the versions.
  elsewhere: { completions: '/beta/completions' },
  adjust: adjustForLookAlikes,
});

export const embeddingModel: Provider = openaiLayout({ prefix: '/v1', operations: ['embeddings'] });

export const volcengine: Provider = openaiLayout({
  prefix: '/api/v3',
  operations: ['chat', 'embeddings', 'models', 'images'],
  adjust: withoutDeveloper,
});

export const baiduV2: Provider = openaiLayout({
  prefix: '/v2',
  operations: ['chat', 'embeddings', 'models'],
  adjust: withoutDeveloper,
});
