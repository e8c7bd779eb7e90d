import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import { fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { named } from '../shared/description/model-lists.ts';

/** The path names the account. Source: developers.cloudflare.com/workers-ai, OpenAI compatible endpoints; API errors. */
export const cloudflare = openaiLayout({
  types: [39],
  takesTopK: true,
  root: (channel) => {
    const path = `/client/v4/accounts/${accountOf(channel)}/ai/`;
    return baseUrlOf(channel, `${path}v1`) + path;
  },
  prefix: '',
  offers: {
    chat: { path: 'v1/chat/completions', write: forLookAlikes },
    embeddings: { path: 'v1/embeddings' },
    models: { path: 'models/search?per_page=1000&hide_experimental=true' },
  },
  natives: { responses: 'v1/responses' },
  readModels: (body) =>
    listOf(fieldsOf(body)['result']).flatMap((model) => textOf(fieldsOf(model)['name']) ?? []),
  errorPatterns: { key: /\[(?:10000|10001|9109|6003)\]/ },
  // developers.cloudflare.com/workers-ai/models
  models: named(`@cf/openai/gpt-oss-120b @cf/openai/gpt-oss-20b @cf/moonshotai/kimi-k2.6 @cf/zai-org/glm-5.3
    @cf/zai-org/glm-5.3-flash @cf/zai-org/glm-4.7-flash @cf/deepseek-ai/deepseek-v4-pro-0813
    @cf/deepseek-ai/deepseek-v4-flash-0731 @cf/nvidia/nemotron-3-120b-a12b @cf/qwen/qwen3.8-27b
    @cf/qwen/qwen3-30b-a3b-fp8 @cf/google/gemma-4-26b-a4b-it @cf/meta/llama-4-scout-17b-16e-instruct
    @cf/baai/bge-m3 @cf/baai/bge-large-en-v1.5 @cf/qwen/qwen3-embedding-0.6b @cf/google/embeddinggemma-300m`),
});

const accountOf = ({ other }: Channel): string => {
  const account = other.trim();
  if (account === '') throw new AppError('upstream_failed', 'the channel has no Cloudflare account id');
  return encodeURIComponent(account);
};
