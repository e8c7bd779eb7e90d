import { lookAlike, openaiError, openaiList } from './openai-like.ts';
import type { Wire } from './wire.ts';

/** Hosts of many makers' models, and gateways. */
export const hostWires: readonly Wire[] = [
  lookAlike({
    type: 20,
    name: 'OpenRouter',
    reference: 'openrouter.ai/docs/api-reference; errors',
    thoughts: 'reasoning',
    comment: 'OPENROUTER PROCESSING',
    beside: { provider: 'Someone' },
    badKey: { status: 401, body: { error: { message: 'No auth credentials found', code: 401 } } },
    rateLimit: {
      status: 429,
      body: {
        error: {
          message: 'Provider returned error',
          code: 429,
          metadata: { provider_name: 'Someone', raw: 'slow' },
        },
        user_id: 'user_1',
      },
    },
  }),
  lookAlike({
    type: 39,
    name: 'Cloudflare',
    reference: 'developers.cloudflare.com/workers-ai, OpenAI compatible endpoints; models search',
    other: 'account-1',
    model: '@cf/meta/llama-3.1-8b-instruct',
    chat: '/client/v4/accounts/account-1/ai/v1/chat/completions',
    usage: 'last-piece',
    jsonContent: { well: true },
    models: {
      path: '/client/v4/accounts/account-1/ai/models/search?per_page=1000&hide_experimental=true',
      body: { success: true, result: [{ id: 'u-1', name: '@cf/meta/llama-3.1-8b-instruct' }], errors: [] },
      names: ['@cf/meta/llama-3.1-8b-instruct'],
    },
    badKey: {
      status: 403,
      body: {
        success: false,
        errors: [{ code: 10_000, message: 'Authentication error' }],
        messages: [],
        result: null,
      },
    },
    rateLimit: {
      status: 429,
      body: {
        errors: [{ message: 'AiError: 3040: Capacity temporarily exceeded', code: 3040 }],
        success: false,
      },
    },
  }),
  lookAlike({
    type: 100,
    name: 'Groq',
    reference: 'console.groq.com/docs/api-reference; errors',
    chat: '/openai/v1/chat/completions',
    usage: 'x_groq',
    thoughts: 'reasoning',
    badKey: openaiError(401, 'Invalid API Key', 'invalid_request_error', 'invalid_api_key'),
    rateLimit: {
      status: 429,
      headers: { 'retry-after': '2' },
      body: { error: { message: 'Rate limit reached', type: 'tokens', code: 'rate_limit_exceeded' } },
    },
  }),
  lookAlike({
    type: 101,
    name: 'Together AI',
    reference: 'docs.together.ai/reference/chat-completions-1; models',
    usage: 'last-piece',
    models: { path: '/v1/models', body: [{ id: 'a/b', type: 'chat' }, { id: 'c/d' }], names: ['a/b', 'c/d'] },
    badKey: openaiError(401, 'Invalid API key provided.', 'invalid_request_error', 'invalid_api_key'),
    rateLimit: openaiError(429, 'You have reached the rate limit specific to this model', 'model_rate_limit'),
  }),
  lookAlike({
    type: 102,
    name: 'Fireworks AI',
    reference: 'docs.fireworks.ai/api-reference/post-chatcompletions',
    model: 'accounts/fireworks/models/kimi-k2',
    chat: '/inference/v1/chat/completions',
    usage: 'last-piece',
    startsAtOnce: true,
    badKey: openaiError(401, 'The API key you provided is invalid.', 'error', 'UNAUTHORIZED'),
    rateLimit: openaiError(429, 'Request limit exceeded', 'error', 'RATE_LIMIT_EXCEEDED'),
  }),
  lookAlike({
    type: 103,
    name: 'Cerebras',
    reference: 'inference-docs.cerebras.ai/api-reference/chat-completions',
    thoughts: 'reasoning',
    usage: 'last-piece',
    beside: { time_info: { queue_time: 0.01, total_time: 0.1 } },
    badKey: {
      status: 401,
      body: { message: 'Wrong API Key', type: 'invalid_request_error', code: 'wrong_api_key' },
    },
    rateLimit: {
      status: 429,
      body: {
        message: "We're experiencing high traffic right now!",
        type: 'too_many_requests_error',
        param: 'queue',
        code: 'queue_exceeded',
      },
    },
  }),
  lookAlike({
    type: 104,
    name: 'NVIDIA',
    reference: 'docs.api.nvidia.com/nim/reference',
    badKey: { status: 403, body: { status: 403, title: 'Forbidden', detail: 'Authorization failed' } },
    rateLimit: { status: 429, body: { status: 429, title: 'Too Many Requests' } },
  }),
  lookAlike({
    type: 105,
    name: 'Hugging Face',
    reference: 'huggingface.co/docs/inference-providers',
    badKey: { status: 401, body: { error: 'Invalid username or password.' } },
    rateLimit: { status: 429, body: { error: 'We had to rate limit you.' } },
  }),
  lookAlike({
    type: 106,
    name: 'GitHub Models',
    reference: 'docs.github.com/rest/models',
    model: 'openai/gpt-4.1',
    chat: '/inference/chat/completions',
    headers: { authorization: 'Bearer sk-of-the-channel', 'x-github-api-version': '2022-11-28' },
    models: {
      path: '/catalog/models',
      body: [{ id: 'openai/gpt-4.1', name: 'OpenAI GPT-4.1' }],
      names: ['openai/gpt-4.1'],
    },
    badKey: { status: 401, body: { error: { code: 'unauthorized', message: 'Bad credentials' } } },
    rateLimit: {
      status: 429,
      headers: { 'retry-after': '30' },
      body: {
        error: {
          code: 'RateLimitReached',
          message: 'Rate limit of 10 per 60s exceeded',
          details: 'Wait 30 seconds',
        },
      },
    },
  }),
  lookAlike({
    type: 107,
    name: 'Vercel AI Gateway',
    reference: 'vercel.com/docs/ai-gateway',
    model: 'openai/gpt-5',
    thoughts: 'reasoning',
    badKey: openaiError(401, 'Unauthenticated', 'authentication_error'),
    rateLimit: openaiError(429, 'Rate limit exceeded', 'rate_limit_exceeded'),
    models: openaiList('/v1/models'),
  }),
];
