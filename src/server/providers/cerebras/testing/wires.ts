import { lookAlike } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
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
];

export const otherPaths: OtherPaths = {
  103: under('/v1', 'completions'),
};
