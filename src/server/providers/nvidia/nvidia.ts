import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { named } from '../shared/description/model-lists.ts';
import { readNvidiaRerank, writeNvidiaRerank } from './nvidia-rerank.ts';

const OWN_HOST = 'https://integrate.api.nvidia.com';

/** Reranking has a host of its own and a path per model, where dots are underscores. */
const hostedRerank = (model: string): string =>
  `https://ai.api.nvidia.com/v1/retrieval/${model.split('/').map(encodeURIComponent).join('/').replaceAll('.', '_')}/reranking`;

/** NVIDIA's own service, and self-hosted NIMs (docs.api.nvidia.com; docs.nvidia.com/nim). */
export const nvidia = openaiLayout({
  types: [104],
  prefix: '/v1',
  offers: {
    chat: { write: forLookAlikes },
    completions: {},
    embeddings: {},
    rerank: {
      path: ({ model }, channel) =>
        `${baseUrlOf(channel)}/`.startsWith(`${OWN_HOST}/`) ? hostedRerank(model) : '/v1/ranking',
      write: writeNvidiaRerank,
      read: (reply, _, asked) => readNvidiaRerank(reply, asked),
    },
    models: {},
  },
  errorPatterns: { ...PAYMENT_REQUIRED, key: /^\[403\].*authorization failed/i },
  // build.nvidia.com/models
  models:
    named(`nvidia/nemotron-3-ultra-550b-a55b nvidia/nemotron-3-super-120b-a12b nvidia/nemotron-3-nano-30b-a3b
    openai/gpt-oss-120b openai/gpt-oss-20b meta/llama-3.3-70b-instruct qwen/qwen3.5-397b-a17b moonshotai/kimi-k2.6
    nvidia/nv-embedqa-e5-v5 nvidia/llama-3.2-nv-embedqa-1b-v2 nvidia/llama-3.2-nv-rerankqa-1b-v2`),
});
