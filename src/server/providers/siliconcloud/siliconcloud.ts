import { z } from 'zod';
import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { amount, balanceCall, parseBalance } from '../shared/account/read-balance.ts';
import { budgetOf, field, type WriteThinking, switched } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';

const BUDGETS_OF_SILICON = { least: 128, most: 32_768 };

/** Source: docs.siliconflow.cn, chat completions. */
const siliconThinking: WriteThinking = (wanted) => {
  const { least, most } = BUDGETS_OF_SILICON;
  const budget = budgetOf(wanted);
  return {
    ...field('enable_thinking', switched(wanted, true, false)),
    ...field('thinking_budget', budget && Math.min(most, Math.max(least, budget))),
  };
};

const account = z.object({ data: z.object({ totalBalance: amount }) });

/** Source: docs.siliconflow.cn; its error codes. */
export const siliconcloud = openaiLayout({
  types: [40],
  takesTopK: true,
  prefix: '/v1',
  thinking: siliconThinking,
  offers: {
    chat: { write: forLookAlikes },
    completions: {},
    embeddings: {},
    models: {},
    images: {},
    speech: {},
    transcriptions: {},
    rerank: {},
  },
  natives: { messages: '/v1/messages' },
  errorPatterns: { billing: /\[30001\]/ },
  /** `GET /v1/user/info`: in yuan, or in dollars at its international address. */
  balance: {
    requests: (channel) => [balanceCall(channel, '/v1/user/info')],
    read: ([body], yuanPerUsd, channel) => {
      const { totalBalance } = parseBalance(account, body).data;
      return new URL(baseUrlOf(channel)).hostname.endsWith('.com') ? totalBalance : totalBalance / yuanPerUsd;
    },
  },
  // docs.siliconflow.cn and cloud.siliconflow.cn/models
  models: named(`deepseek-ai/DeepSeek-V4-Pro deepseek-ai/DeepSeek-V4-Flash Pro/deepseek-ai/DeepSeek-V3.2
    deepseek-ai/DeepSeek-R1 zai-org/GLM-5.2 Pro/zai-org/GLM-5.1 Pro/moonshotai/Kimi-K2.6 Pro/MiniMaxAI/MiniMax-M2.5
    Qwen/Qwen3.6-35B-A3B Qwen/Qwen3.5-397B-A17B Qwen/Qwen3.5-122B-A10B Qwen/Qwen3.5-27B Qwen/Qwen3.5-9B
    Qwen/Qwen3-32B Qwen/Qwen3-8B stepfun-ai/Step-3.5-Flash
    BAAI/bge-m3 BAAI/bge-reranker-v2-m3 Qwen/Qwen3-Embedding-8B Qwen/Qwen3-Reranker-8B
    Kwai-Kolors/Kolors Qwen/Qwen-Image FunAudioLLM/CosyVoice2-0.5B FunAudioLLM/SenseVoiceSmall`),
});
