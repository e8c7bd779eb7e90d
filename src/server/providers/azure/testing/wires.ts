import { lookAlike, openaiList } from '../../testing/openai-like.ts';
import type { OtherPaths } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

const azure = (operation: string): string =>
  `/openai/deployments/m/${operation}?api-version=2025-04-01-preview`;

export const wires: readonly Wire[] = [
  lookAlike({
    type: 3,
    name: 'Azure OpenAI',
    reference: 'learn.microsoft.com/azure/ai-services/openai/reference',
    key: 'azure-key',
    other: '2024-10-21',
    headers: { 'api-key': 'azure-key' },
    chat: '/openai/deployments/m-upstream/chat/completions?api-version=2024-10-21',
    models: openaiList('/openai/models?api-version=2024-10-21'),
    beside: { prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
    badKey: {
      status: 401,
      body: {
        error: {
          code: '401',
          message: 'Access denied due to invalid subscription key or wrong API endpoint.',
        },
      },
    },
    rateLimit: {
      status: 429,
      headers: { 'retry-after': '7' },
      body: { error: { code: '429', message: 'Requests have exceeded call rate limit of your tier.' } },
    },
  }),
];

export const otherPaths: OtherPaths = {
  3: {
    completions: azure('completions'),
    embeddings: azure('embeddings'),
    images: azure('images/generations'),
    speech: azure('audio/speech'),
    transcriptions: azure('audio/transcriptions'),
  },
};
