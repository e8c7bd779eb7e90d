import { fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { field, inWords, type WriteThinking, switched } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';
import { togetherPrices } from '../shared/account/read-prices.ts';

/** Source: docs.together.ai, reasoning. */
const togetherThinking: WriteThinking = (wanted, model) => {
  const enabled = switched(wanted, true, false);
  return {
    ...(!/gpt-oss/.test(model) && field('reasoning', enabled === undefined ? undefined : { enabled })),
    ...(/gpt-oss|GLM-5\.[3-9]/i.test(model) && field('reasoning_effort', inWords(wanted.effort))),
  };
};

/** Source: docs.together.ai, OpenAI compatibility. The list of models is a bare array. */
export const together = openaiLayout({
  types: [101],
  takesTopK: true,
  prefix: '/v1',
  thinking: togetherThinking,
  offers: {
    chat: { write: forLookAlikes },
    completions: {},
    embeddings: {},
    models: {},
    images: {},
    speech: {},
    transcriptions: {},
    translations: {},
    rerank: {},
  },
  readModels: (body) =>
    (Array.isArray(body) ? body : listOf(fieldsOf(body)['data'])).flatMap(
      (model) => textOf(fieldsOf(model)['id']) ?? [],
    ),
  prices: togetherPrices,
  errorPatterns: PAYMENT_REQUIRED,
  // docs.together.ai/docs/serverless-models
  models: named(`deepseek-ai/DeepSeek-V4-Pro-0813 deepseek-ai/DeepSeek-V4.1-Flash moonshotai/Kimi-K3
    moonshotai/Kimi-K2.7-Code zai-org/GLM-5.3 zai-org/GLM-5.2 Qwen/Qwen3.7-Max Qwen/Qwen3.6-Plus
    Qwen/Qwen3.5-397B-A17B Qwen/Qwen3-Coder-Next-FP8 MiniMaxAI/MiniMax-M2.5 google/gemma-4-31B-it
    nvidia/nemotron-3-ultra-550b-a55b meta-llama/Llama-3.3-70B-Instruct-Turbo openai/gpt-oss-120b openai/gpt-oss-20b`),
});
