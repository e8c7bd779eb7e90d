import { openai, LONG, type Refusal } from './refusal.ts';

/** Hosts of many makers' models, and gateways, each from its list of errors. */
export const hostRefusals: readonly Refusal[] = [
  [20, 'key', 401, { error: { message: 'No auth credentials found', code: 401 } }],
  [20, 'money', 402, { error: { message: 'Insufficient credits', code: 402 } }],
  [20, 'model', 400, { error: { message: 'm is not a valid model ID', code: 400 } }, 'invalid_request'],
  [20, 'rate', 429, { error: { message: 'Provider returned error', code: 429 } }],
  [
    20,
    'filter',
    403,
    { error: { message: 'Your input was flagged', code: 403, metadata: { reasons: ['x'] } } },
  ],
  [39, 'key', 403, { success: false, errors: [{ code: 10_000, message: 'Authentication error' }] }],
  [
    39,
    'model',
    400,
    { success: false, errors: [{ code: 5007, message: 'No such model' }] },
    'invalid_request',
  ],
  [
    39,
    'rate',
    429,
    { success: false, errors: [{ code: 3036, message: 'You have used up your daily free allocation' }] },
  ],
  [100, 'key', 401, openai('Invalid API Key', 'invalid_request_error', 'invalid_api_key')],
  [100, 'model', 404, openai('The model m does not exist', 'invalid_request_error', 'model_not_found')],
  [100, 'rate', 429, openai('Rate limit reached', 'tokens', 'rate_limit_exceeded')],
  [
    100,
    'long',
    413,
    openai('Request too large for model m', 'tokens', 'rate_limit_exceeded'),
    'payload_too_large',
  ],
  [101, 'money', 402, openai('Credit limit exceeded', 'credit_limit')],
  [102, 'key', 412, openai('Account is suspended', 'error', 'PRECONDITION_FAILED')],
  [103, 'key', 401, { message: 'Wrong API Key', type: 'invalid_request_error', code: 'wrong_api_key' }],
  [103, 'money', 402, { message: 'Payment required', type: 'payment_required_error' }],
  [103, 'long', 400, { message: LONG, type: 'invalid_request_error', code: 'context_length_exceeded' }],
  [104, 'key', 403, { status: 403, title: 'Forbidden', detail: 'Authorization failed' }],
  [105, 'money', 402, { error: 'You have exceeded your monthly included credits' }],
  [107, 'money', 402, openai('Insufficient funds', 'insufficient_funds')],
  [108, 'money', 403, openai('用户额度不足', 'new_api_error', 'insufficient_user_quota')],
  [108, 'rate', 429, openai('当前分组上游负载已饱和', 'new_api_error')],
];
