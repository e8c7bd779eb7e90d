import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 45,
    name: 'Volcengine',
    reference: 'www.volcengine.com/docs/82379, ChatCompletions; error codes',
    chat: '/api/v3/chat/completions',
    thoughts: 'reasoning_content',
    badKey: {
      status: 403,
      body: {
        error: {
          code: 'AccountOverdueError',
          message: 'The request failed because your account has an overdue balance.',
          param: '',
          type: 'Forbidden',
        },
      },
    },
    rateLimit: openaiError(
      429,
      'Requests to the model have exceeded its limit of requests per minute.',
      'TooManyRequests',
      'RateLimitExceeded.EndpointRPMExceeded',
    ),
  }),
];

export const otherPaths: OtherPaths = {
  45: under('/api/v3', 'embeddings', 'images'),
};
