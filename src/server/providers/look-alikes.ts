import { adjustForLookAlikes, isChat, withoutDeveloper } from './adjust-chat.ts';
import { withThoughtsAtCalls } from './earlier-thoughts.ts';
import { openaiLayout } from './openai-layout.ts';
import type { Provider } from './provider.ts';
import {
  baiduThinking,
  deepseekThinking,
  moonshotThinking,
  siliconThinking,
  wordsAndNone,
  zhipuThinking,
} from './thinking.ts';

/** Kinds that differ from OpenAI by a path and little else, each as its public reference describes it. */

/** Source: docs.ollama.com, OpenAI and Anthropic compatibility. */
export const ollama: Provider = openaiLayout({
  prefix: '/v1',
  thinking: wordsAndNone,
  operations: ['chat', 'completions', 'embeddings', 'speech', 'transcriptions', 'models'],
  adjust: adjustForLookAlikes,
  natives: { responses: '/v1/responses', messages: '/v1/messages' },
});

export const ai360: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'embeddings', 'models'],
  adjust: adjustForLookAlikes,
});

const FIXED_SAMPLING = /k2\.[5-9]|k[3-9]/;

const moonshotLayout = openaiLayout({
  prefix: '/v1',
  thinking: moonshotThinking,
  operations: ['chat', 'models'],
  // Since K2 its models think, and refuse calls without their thoughts; an empty one is none.
  adjust: (body, call) =>
    isChat(call) && /thinking|k2\.[5-9]|k[3-9]/.test(call.model)
      ? withThoughtsAtCalls(withoutDeveloper(body), ' ')
      : withoutDeveloper(body),
  natives: { messages: '/anthropic/v1/messages' },
});

/**
 * Source: platform.moonshot.cn/docs. Newer models refuse every temperature but their own: what callers of other formats
 * say of it is left out, since it only colours an answer.
 */
export const moonshot: Provider = {
  ...moonshotLayout,
  dialect: {
    ...moonshotLayout.dialect,
    writeRequest: (request) => {
      if (!FIXED_SAMPLING.test(request.model)) return moonshotLayout.dialect.writeRequest(request);
      const { temperature: _, topP: _p, presencePenalty: _q, frequencyPenalty: _f, ...rest } = request;
      return moonshotLayout.dialect.writeRequest(rest);
    },
  },
};

/** Source: docs.bigmodel.cn; its Responses are at a root of their own, for coding plans too. */
export const zhipu: Provider = openaiLayout({
  prefix: '/api/paas/v4',
  thinking: zhipuThinking,
  schemasInWords: true,
  operations: ['chat', 'embeddings', 'models', 'images', 'speech', 'transcriptions', 'moderations', 'rerank'],
  adjust: adjustForLookAlikes,
  natives: { responses: '/api/v1/responses', messages: '/api/anthropic/v1/messages' },
});

export const lingyiwanwu: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'completions', 'models'],
  adjust: adjustForLookAlikes,
});

export const jina: Provider = openaiLayout({ prefix: '/v1', operations: ['embeddings', 'rerank'] });

/** Source: docs.siliconflow.cn. */
export const siliconcloud: Provider = openaiLayout({
  takesTopK: true,
  prefix: '/v1',
  thinking: siliconThinking,
  operations: ['chat', 'completions', 'embeddings', 'models', 'images', 'speech', 'transcriptions', 'rerank'],
  adjust: adjustForLookAlikes,
  natives: { messages: '/v1/messages' },
});

/** Source: api-docs.deepseek.com. */
export const deepseek: Provider = openaiLayout({
  prefix: '/v1',
  thinking: deepseekThinking,
  schemasInWords: true,
  operations: ['chat', 'completions', 'models'],
  // Its old completions are a beta beside the versions.
  elsewhere: { completions: '/beta/completions' },
  // Thinking is on unless it is switched off, and then calls without their thoughts are refused.
  adjust: (body, call) =>
    isChat(call) ? withThoughtsAtCalls(adjustForLookAlikes(body, call), '') : adjustForLookAlikes(body, call),
  natives: { responses: '/responses', messages: '/anthropic/v1/messages' },
});

/** Models on machines of one's own. Source: inference.readthedocs.io, compatibility with OpenAI; rerank. */
export const xinference: Provider = openaiLayout({
  takesTopK: true,
  prefix: '/v1',
  operations: [
    'chat',
    'completions',
    'embeddings',
    'images',
    'image-edits',
    'image-variations',
    'speech',
    'transcriptions',
    'translations',
    'rerank',
    'models',
  ],
  adjust: adjustForLookAlikes,
  natives: { messages: '/anthropic/v1/messages' },
});

export const embeddingModel: Provider = openaiLayout({ prefix: '/v1', operations: ['embeddings'] });

/** Source: cloud.baidu.com/doc/qianfan-api; qianfan-docs, compatibility with Anthropic. */
export const baiduV2: Provider = openaiLayout({
  prefix: '/v2',
  thinking: baiduThinking,
  operations: ['chat', 'completions', 'embeddings', 'models', 'images', 'rerank'],
  adjust: withoutDeveloper,
  natives: { responses: '/v2/responses', messages: '/anthropic/v1/messages' },
});
