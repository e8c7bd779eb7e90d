import { messagesPage } from '../../testing/chat-pages.ts';
import type { Wire } from '../../testing/wire.ts';

const anthropicError = (status: number, type: string, message: string) => ({
  status,
  body: { type: 'error', error: { type, message }, request_id: 'req_1' },
});

export const wires: readonly Wire[] = [
  {
    type: 14,
    name: 'Anthropic',
    reference: 'platform.claude.com/docs/en/api/messages; errors',
    key: 'sk-ant-1',
    model: 'claude-sonnet-4-6',
    chat: '/v1/messages',
    headers: { 'x-api-key': 'sk-ant-1', 'anthropic-version': '2023-06-01' },
    asks: { model: 'claude-sonnet-4-6', max_tokens: 100, messages: [{ role: 'user' }] },
    answer: messagesPage,
    offersTools: true,
    tellsUsage: true,
    badKey: anthropicError(401, 'authentication_error', 'invalid x-api-key'),
    rateLimit: anthropicError(429, 'rate_limit_error', 'This request would exceed your rate limit.'),
    models: {
      path: '/v1/models?limit=1000',
      body: { data: [{ type: 'model', id: 'claude-sonnet-4-6', display_name: 'Sonnet' }], has_more: false },
      names: ['claude-sonnet-4-6'],
    },
  },
];
