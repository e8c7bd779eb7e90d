import { z } from 'zod';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { amount, balanceCall, parseBalance } from '../shared/account/read-balance.ts';
import type { WriteThinking } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';
import { IMAGES_PATH, writeImages } from './openrouter-images.ts';
import { writeTranscription } from './openrouter-transcriptions.ts';
import { openrouterPrices } from '../shared/account/read-prices.ts';

/** Source: openrouter.ai/docs/guides/best-practices/reasoning-tokens. */
const openrouterThinking: WriteThinking = (wanted) => {
  if (wanted.isOff) return { reasoning: { effort: 'none' } };
  if (!wanted.isOn) return {};
  const { budgetTokens, effort } = wanted;
  if (budgetTokens !== undefined) return { reasoning: { max_tokens: budgetTokens } };
  return { reasoning: effort === undefined ? { enabled: true } : { effort } };
};

const pictures = { path: IMAGES_PATH, write: writeImages };

const credits = z.object({ data: z.object({ total_credits: amount, total_usage: amount }) });

/** Source: openrouter.ai/docs. It accepts newer and older field names. */
export const openrouter = openaiLayout({
  types: [20],
  prefix: '/v1',
  takesTopK: true,
  thinking: openrouterThinking,
  offers: {
    chat: {},
    completions: {},
    embeddings: {},
    images: pictures,
    'image-edits': { ...pictures, formAsJson: true },
    speech: {},
    transcriptions: { formAsJson: true, write: writeTranscription },
    rerank: {},
    models: {},
  },
  natives: { responses: '/v1/responses', messages: '/v1/messages' },
  // A 402 for a single large request does not mean that the balance is empty.
  errorPatterns: { billing: /^\[402\](?!.*fewer max_tokens)/, request: /^\[403\].*(?:flagged|moderation)/i },
  /** `GET /api/v1/credits`. */
  prices: openrouterPrices,
  balance: {
    requests: (channel) => [balanceCall(channel, '/v1/credits')],
    read: ([body]) => {
      const { data } = parseBalance(credits, body);
      return data.total_credits - data.total_usage;
    },
  },
  // openrouter.ai/models: the newest of each maker; the upstream's own list has several hundred
  models: named(`openai/gpt-6.1-sol openai/gpt-6.1-terra openai/gpt-6-astra openai/gpt-6-sol openai/gpt-6-luna
    openai/gpt-5.6-sol openai/gpt-5.6-terra openai/gpt-5.6-luna openai/gpt-5.5 openai/gpt-5.4 openai/gpt-5.4-mini
    openai/gpt-5.3-codex openai/gpt-oss-120b openai/gpt-oss-20b
    anthropic/claude-fable-5.2 anthropic/claude-fable-5.1 anthropic/claude-opus-5.5 anthropic/claude-opus-5
    anthropic/claude-sonnet-5.5 anthropic/claude-sonnet-5 anthropic/claude-haiku-5.5 anthropic/claude-haiku-4.5
    google/gemini-4-argon google/gemini-3.8-flash google/gemini-3.7-flash google/gemini-3.5-flash
    google/gemini-3.1-pro-preview google/gemini-3.1-flash-lite google/gemma-4-31b-it google/gemma-4-26b-a4b-it
    x-ai/grok-4.7 x-ai/grok-4.5 x-ai/grok-4.3 x-ai/grok-4.20 x-ai/grok-build-0.1
    deepseek/deepseek-v4-pro deepseek/deepseek-v4-flash deepseek/deepseek-v3.2
    moonshotai/kimi-k3 moonshotai/kimi-k2.7-code moonshotai/kimi-k2.6
    z-ai/glm-5.3 z-ai/glm-5.3-flash z-ai/glm-5.2 z-ai/glm-5v-turbo
    qwen/qwen3.8-max qwen/qwen3.8-flash qwen/qwen3.8-27b qwen/qwen3.7-max qwen/qwen3.7-plus qwen/qwen3.6-27b
    qwen/qwen3-coder-next minimax/minimax-m3 minimax/minimax-m2.7
    mistralai/mistral-large-2512 mistralai/mistral-medium-3-5 mistralai/mistral-small-2603 mistralai/devstral-2512
    nvidia/nemotron-3-ultra-550b-a55b nvidia/nemotron-3-super-120b-a12b amazon/nova-2-lite-v1 cohere/command-a
    openai/text-embedding-3-small google/gemini-embedding-001`),
});
