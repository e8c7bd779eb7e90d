import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { named } from '../shared/description/model-lists.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { deepinfraPrices } from '../shared/account/read-prices.ts';

/** Source: deepinfra.com/docs/openai_api. */
export const deepinfra = openaiLayout({
  types: [109],
  prefix: '/v1/openai',
  offers: { chat: { write: forLookAlikes }, completions: {}, embeddings: {}, models: {} },
  prices: deepinfraPrices,
  errorPatterns: { ...PAYMENT_REQUIRED, key: /Not authenticated/ },
  models: named(`deepseek-ai/DeepSeek-V4-Flash deepseek-ai/DeepSeek-V3.2 meta-llama/Meta-Llama-3.1-8B-Instruct
    openai/gpt-oss-120b openai/gpt-oss-20b`),
});
