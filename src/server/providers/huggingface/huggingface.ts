import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { named } from '../shared/description/model-lists.ts';

/** Source: huggingface.co/docs/inference-providers. */
export const huggingface = openaiLayout({
  types: [105],
  prefix: '/v1',
  offers: { chat: { write: forLookAlikes }, models: {} },
  natives: { responses: '/v1/responses' },
  errorPatterns: PAYMENT_REQUIRED,
  // huggingface.co/docs/inference-providers
  models: named(`
  deepseek-ai/DeepSeek-V4-Pro-0813 deepseek-ai/DeepSeek-V4-Flash-0731 moonshotai/Kimi-K3 moonshotai/Kimi-K2.6
  zai-org/GLM-5.3 zai-org/GLM-5.3-Flash zai-org/GLM-5.2 Qwen/Qwen3.5-397B-A17B google/gemma-4-31B-it
  openai/gpt-oss-120b openai/gpt-oss-20b meta-llama/Llama-3.3-70B-Instruct
`),
});
