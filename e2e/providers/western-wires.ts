import { lookAlike, openaiError, openaiList } from './openai-like.ts';
import type { Wire } from './wire.ts';

/** OpenAI, and model makers with OpenAI-compatible chats. */
export const westernWires: readonly Wire[] = [
  lookAlike({
    type: 1,
    name: 'OpenAI',
    reference: 'platform.openai.com/docs/api-reference/chat',
    beside: { service_tier: 'default', system_fingerprint: 'fp_1' },
    badKey: openaiError(
      401,
      'Incorrect API key provided: sk-of***nnel.',
      'invalid_request_error',
      'invalid_api_key',
    ),
    rateLimit: openaiError(429, 'Rate limit reached for m-upstream', 'requests', 'rate_limit_exceeded'),
  }),
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
  lookAlike({
    type: 4,
    name: 'Ollama',
    reference: 'docs.ollama.com/api/openai-compatibility',
    thoughts: 'reasoning',
    badKey: { status: 401, body: { error: 'unauthorized' } },
    rateLimit: { status: 429, body: { error: 'too many requests' } },
  }),
  lookAlike({
    type: 8,
    name: 'Custom',
    reference: 'any address that answers as platform.openai.com/docs/api-reference/chat',
    chat: '/whole/m-upstream/address',
    models: false,
    badKey: openaiError(401, 'no such key', 'authentication_error'),
    rateLimit: openaiError(429, 'slow down', 'rate_limit_error'),
  }),
  lookAlike({
    type: 42,
    name: 'Mistral',
    reference: 'docs.mistral.ai/api',
    usage: 'last-piece',
    badKey: { status: 401, body: { detail: 'Unauthorized' } },
    rateLimit: {
      status: 429,
      body: {
        object: 'error',
        message: 'Rate limit exceeded',
        type: 'rate_limited',
        param: null,
        code: '1300',
        raw_status_code: 429,
      },
    },
  }),
  lookAlike({
    type: 48,
    name: 'xAI',
    reference: 'docs.x.ai/docs/api-reference',
    thoughts: 'reasoning_content',
    beside: { citations: null, system_fingerprint: 'fp_1' },
    // An unknown key is reported as an invalid argument.
    badKey: {
      status: 400,
      body: {
        code: 'Client specified an invalid argument',
        error: 'Incorrect API key provided: xa***el. You can obtain an API key from https://console.x.ai.',
      },
    },
    rateLimit: {
      status: 429,
      body: { code: 'Some resource has been exhausted', error: 'Too many requests for team' },
    },
  }),
  lookAlike({
    type: 108,
    name: 'Tollgate / New API',
    reference: 'the paths of this gateway',
    badKey: openaiError(401, '无效的令牌', 'new_api_error'),
    rateLimit: openaiError(429, '当前分组上游负载已饱和，请稍后再试', 'new_api_error'),
  }),
];
