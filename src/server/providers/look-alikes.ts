import { adjustForLookAlikes, withoutDeveloper } from './adjust-chat.ts';
import { openaiLayout } from './openai-layout.ts';
import type { Provider } from './provider.ts';

/** Kinds that differ from OpenAI by a path and little else, each as its public reference describes it. */

/** Source: docs.ollama.com, OpenAI and Anthropic compatibility. */
export const ollama: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'completions', 'embeddings', 'speech', 'transcriptions', 'models'],
  adjust: adjustForLookAlikes,
  natives: { responses: '/v1/responses', messages: '/v1/messages' },
});

/** Source: help.aliyun.com/zh/model-studio, compatible modes of OpenAI (chat, Responses) and Anthropic. */
export const alibaba: Provider = openaiLayout({
  prefix: '/compatible-mode/v1',
  operations: ['chat', 'completions', 'embeddings', 'rerank', 'models'],
  adjust: adjustForLookAlikes,
  natives: { responses: '/compatible-mode/v1/responses', messages: '/apps/anthropic/v1/messages' },
  elsewhere: { rerank: '/compatible-api/v1/reranks' },
  headers: ({ other }): Record<string, string> =>
    other.trim() === '' ? {} : { 'x-dashscope-plugin': other.trim() },
});

export const ai360: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'embeddings', 'models'],
  adjust: adjustForLookAlikes,
});

/** Source: platform.moonshot.cn/docs. */
export const moonshot: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'models'],
  adjust: withoutDeveloper,
  natives: { messages: '/anthropic/v1/messages' },
});

/** Source: docs.bigmodel.cn. */
export const zhipu: Provider = openaiLayout({
  prefix: '/api/paas/v4',
  operations: ['chat', 'embeddings', 'models', 'images', 'speech', 'transcriptions', 'moderations', 'rerank'],
  adjust: adjustForLookAlikes,
  natives: { messages: '/api/anthropic/v1/messages' },
});

export const lingyiwanwu: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'completions', 'models'],
  adjust: adjustForLookAlikes,
});

/** Source: platform.minimaxi.com/document. */
export const minimax: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'models'],
  adjust: withoutDeveloper,
  natives: { messages: '/anthropic/v1/messages' },
});

export const jina: Provider = openaiLayout({ prefix: '/v1', operations: ['embeddings', 'rerank'] });

/** Source: docs.siliconflow.cn. */
export const siliconcloud: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'completions', 'embeddings', 'models', 'images', 'speech', 'transcriptions', 'rerank'],
  adjust: adjustForLookAlikes,
  natives: { messages: '/v1/messages' },
});

/** Source: api-docs.deepseek.com. */
export const deepseek: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'completions', 'models'],
  // Its old completions are a beta beside the versions.
  elsewhere: { completions: '/beta/completions' },
  adjust: adjustForLookAlikes,
  natives: { responses: '/responses', messages: '/anthropic/v1/messages' },
});

export const embeddingModel: Provider = openaiLayout({ prefix: '/v1', operations: ['embeddings'] });

/** Source: www.volcengine.com/docs/82379. */
export const volcengine: Provider = openaiLayout({
  prefix: '/api/v3',
  operations: ['chat', 'embeddings', 'models', 'images'],
  adjust: withoutDeveloper,
  natives: { responses: '/api/v3/responses' },
});

export const baiduV2: Provider = openaiLayout({
  prefix: '/v2',
  operations: ['chat', 'embeddings', 'models', 'images', 'rerank'],
  adjust: withoutDeveloper,
});
