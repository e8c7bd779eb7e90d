import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { field, inThree, type WriteThinking, switched, typed } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';

/** GLM-5.2 and later take an effort; from 5.3 on thinking cannot be switched off (docs.bigmodel.cn, deep thinking). */
const zhipuThinking: WriteThinking = (wanted, model) => {
  const isAlwaysOn = /glm-(?:5\.[3-9]|[6-9])/i.test(model);
  const knowsWords = isAlwaysOn || /glm-5\.2/i.test(model);
  return {
    ...typed(wanted.isOff && isAlwaysOn ? undefined : switched(wanted, 'enabled', 'disabled')),
    ...(knowsWords && field('reasoning_effort', inThree(wanted.effort))),
  };
};

/** Source: docs.bigmodel.cn; Responses have a root of their own, for coding plans too. */
export const zhipu = openaiLayout({
  // Version 3 of the API has ended; its keys work for version 4.
  types: [16, 26],
  prefix: '/api/paas/v4',
  thinking: zhipuThinking,
  schemasInWords: true,
  offers: {
    chat: { write: forLookAlikes },
    embeddings: {},
    models: {},
    images: {},
    speech: {},
    transcriptions: {},
    moderations: {},
    rerank: {},
  },
  natives: { responses: '/api/v1/responses', messages: '/api/anthropic/v1/messages' },
  // docs.bigmodel.cn/cn/api/api-code: 1113 has the status of a rate limit.
  errorPatterns: {
    key: /\[(?:100[0-5]|111[012]|1121)\]/,
    billing: /\[1113\]/,
    rateLimit: /\[(?:1302|1303|1305)\]/,
  },
  // docs.bigmodel.cn/cn/guide/start/model-overview
  models: named(`
  glm-5.3 glm-5.3-flash glm-5.2 glm-5.1 glm-5 glm-5-turbo glm-5v-turbo glm-4.7 glm-4.7-flashx glm-4.7-flash
  glm-4.6 glm-4.6v glm-4.5-air glm-4.5-airx glm-4-long glm-4-flashx-250414 glm-4-flash-250414
  glm-image cogview-4-250304 embedding-3 rerank glm-tts glm-asr-2512
`),
});
