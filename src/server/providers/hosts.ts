import { AppError } from '#core/error.ts';
import type { Channel } from '#core/channel/channel.ts';
import { fieldsOf, listOf, textOf } from '../dialects/openai/fields.ts';
import { adjustForLookAlikes, isChat, withoutDeveloper } from './adjust-chat.ts';
import { thoughtsAsReasoning } from './earlier-thoughts.ts';
import { baseUrlOf, bearer, contentHeaders, openaiLayout, openaiOperations } from './openai-layout.ts';
import type { Operation } from '#core/operation.ts';
import type { Addressed, Provider } from './provider.ts';
import { cerebrasThinking, groqThinking, togetherThinking, wordsAndNone } from './thinking.ts';

/** Hosts of many makers' models, and gateways, that speak OpenAI's format; each as its public reference describes it. */

/** Source: console.groq.com/docs/openai. */
export const groq: Provider = openaiLayout({
  prefix: '/openai/v1',
  thinking: groqThinking,
  operations: ['chat', 'models', 'speech', 'transcriptions', 'translations'],
  adjust: (body, call) => (isChat(call) ? thoughtsAsReasoning(withoutDeveloper(body)) : body),
  natives: { responses: '/openai/v1/responses' },
});

/** Source: docs.together.ai, OpenAI compatibility. Its list of models is a bare array. */
export const together: Provider = {
  ...openaiLayout({
    takesTopK: true,
    prefix: '/v1',
    thinking: togetherThinking,
    operations: [
      'chat',
      'completions',
      'embeddings',
      'models',
      'images',
      'speech',
      'transcriptions',
      'translations',
      'rerank',
    ],
    adjust: adjustForLookAlikes,
  }),
  readModels: (body) =>
    (Array.isArray(body) ? body : listOf(fieldsOf(body)['data'])).flatMap(
      (model) => textOf(fieldsOf(model)['id']) ?? [],
    ),
};

/** Source: docs.fireworks.ai, OpenAI compatibility. */
export const fireworks: Provider = openaiLayout({
  takesTopK: true,
  prefix: '/inference/v1',
  thinking: wordsAndNone,
  operations: ['chat', 'completions', 'embeddings', 'rerank', 'models'],
  adjust: adjustForLookAlikes,
  natives: { responses: '/inference/v1/responses', messages: '/inference/v1/messages' },
});

/** Source: inference-docs.cerebras.ai. */
export const cerebras: Provider = openaiLayout({
  prefix: '/v1',
  thinking: cerebrasThinking,
  operations: ['chat', 'completions', 'models'],
  adjust: (body, call) => (isChat(call) ? thoughtsAsReasoning(withoutDeveloper(body)) : body),
});

/** Source: huggingface.co/docs/inference-providers. */
export const huggingface: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'models'],
  adjust: adjustForLookAlikes,
  natives: { responses: '/v1/responses' },
});

/** Source: docs.github.com/rest/models. The catalogue is beside the inference and a bare array. */
export const githubModels: Provider = {
  ...openaiLayout({
    prefix: '/inference',
    operations: ['chat', 'embeddings', 'models'],
    elsewhere: { models: '/catalog/models' },
    headers: () => ({ 'x-github-api-version': '2022-11-28' }),
  }),
  readModels: (body) => listOf(body).flatMap((model) => textOf(fieldsOf(model)['id']) ?? []),
};

/** Source: vercel.com/docs/ai-gateway, OpenAI-compatible API; Cohere Rerank API. */
export const vercelGateway: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'embeddings', 'images', 'rerank', 'models'],
  natives: { responses: '/v1/responses', messages: '/v1/messages' },
});

/** Another gateway of this family, at the paths this one answers at. */
export const gateway: Provider = openaiLayout({
  takesTopK: true,
  prefix: '/v1',
  operations: ['chat', ...openaiOperations, 'rerank', 'models'],
  natives: { responses: '/v1/responses', messages: '/v1/messages', gemini: '/v1beta/models' },
});

/** A knowledge base in front of a model; its key is `APIKey-AppId`, whole. Source: doc.fastgpt.in, OpenAPI chat. */
export const fastgpt: Provider = openaiLayout({
  prefix: '/v1',
  operations: ['chat'],
  adjust: adjustForLookAlikes,
});

const CLOUDFLARE_PATHS: Partial<Readonly<Record<Operation, string>>> = {
  chat: 'v1/chat/completions',
  embeddings: 'v1/embeddings',
  models: 'models/search?per_page=1000&hide_experimental=true',
};

const cloudflarePath = ({ operation, dialect }: Addressed): string =>
  operation === 'chat' && dialect === 'openai-responses'
    ? 'v1/responses'
    : (CLOUDFLARE_PATHS[operation] ?? '');

/** The account stands in the path. Source: developers.cloudflare.com/workers-ai, OpenAI compatible endpoints. */
export const cloudflare: Provider = {
  ...openaiLayout({
    takesTopK: true,
    prefix: '',
    operations: ['chat', 'embeddings', 'models'],
    adjust: adjustForLookAlikes,
    natives: { responses: 'v1/responses' },
  }),
  address: (channel, call) => {
    const path = `/client/v4/accounts/${accountOf(channel)}/ai/`;
    return {
      url: baseUrlOf(channel, `${path}v1`) + path + cloudflarePath(call),
      headers: { ...contentHeaders(call), ...bearer(channel) },
    };
  },
  readModels: (body) =>
    listOf(fieldsOf(body)['result']).flatMap((model) => textOf(fieldsOf(model)['name']) ?? []),
};

const accountOf = ({ other }: Channel): string => {
  const account = other.trim();
  if (account === '') throw new AppError('upstream_failed', 'the channel names no Cloudflare account');
  return encodeURIComponent(account);
};
