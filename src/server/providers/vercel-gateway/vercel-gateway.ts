import { z } from 'zod';
import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { amount, balanceCall, parseBalance } from '../shared/account/read-balance.ts';
import { named } from '../shared/description/model-lists.ts';
import { vercelPrices } from '../shared/account/read-prices.ts';

const credits = z.object({ balance: amount });

/** Source: vercel.com/docs/ai-gateway, OpenAI-compatible API; Cohere Rerank API; `GET /v1/credits`. */
export const vercelGateway = openaiLayout({
  types: [107],
  prefix: '/v1',
  offers: { chat: {}, embeddings: {}, images: {}, rerank: {}, models: {} },
  natives: { responses: '/v1/responses', messages: '/v1/messages' },
  errorPatterns: PAYMENT_REQUIRED,
  prices: vercelPrices,
  balance: {
    requests: (channel) => [balanceCall(channel, '/v1/credits')],
    read: ([body]) => parseBalance(credits, body).balance,
  },
  // vercel.com/ai-gateway/models
  models: named(`openai/gpt-6.1-sol openai/gpt-6.1-terra openai/gpt-6-astra openai/gpt-6-sol openai/gpt-6-luna
    openai/gpt-5.6-sol openai/gpt-5.5 openai/gpt-5.3-codex openai/gpt-oss-120b
    anthropic/claude-fable-5.2 anthropic/claude-opus-5.5 anthropic/claude-sonnet-5.5 anthropic/claude-haiku-5.5
    google/gemini-4-argon google/gemini-3.8-flash google/gemini-3.5-flash-lite google/gemini-3.1-pro-preview
    spacexai/grok-4.7 spacexai/grok-4.6 deepseek/deepseek-v4-pro deepseek/deepseek-v4.1-flash
    moonshotai/kimi-k3.1-pro moonshotai/kimi-k3 zai/glm-5.3 zai/glm-5.3-flash alibaba/qwen3.8-max alibaba/qwen3.8-flash
    minimax/minimax-m3 mistral/mistral-large-4 mistral/mistral-medium-3.5 amazon/nova-2-lite cohere/command-a
    openai/text-embedding-3-large openai/text-embedding-3-small google/gemini-embedding-2 cohere/embed-v4.0
    openai/gpt-image-2 minimax/minimax-h3-image cohere/rerank-v4-pro`),
});
