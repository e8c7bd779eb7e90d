import { withoutDeveloper } from '../shared/chat/adjust-chat.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { field, type WriteThinking, switched } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';

/** Source: cloud.baidu.com/doc/qianfan-api, chat completions. */
const baiduThinking: WriteThinking = (wanted) => field('enable_thinking', switched(wanted, true, false));

/** Source: cloud.baidu.com/doc/qianfan-api; qianfan-docs, compatibility with Anthropic. */
export const baiduV2 = openaiLayout({
  types: [46],
  prefix: '/v2',
  thinking: baiduThinking,
  offers: {
    chat: { write: withoutDeveloper },
    completions: {},
    embeddings: {},
    models: {},
    images: {},
    rerank: {},
  },
  natives: { responses: '/v2/responses', messages: '/anthropic/v1/messages' },
  // cloud.baidu.com/doc/qianfan
  models:
    named(`ernie-5.1 ernie-5.0 ernie-5.0-thinking-preview ernie-x1.1 ernie-4.5-turbo-128k ernie-4.5-turbo-32k
    ernie-4.5-turbo-vl deepseek-v3.2 embedding-v1 bge-large-zh tao-8k qwen3-embedding-8b bce-reranker-base`),
});
