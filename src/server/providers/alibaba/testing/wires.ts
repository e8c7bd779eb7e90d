import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 17,
    name: 'Alibaba',
    reference: 'help.aliyun.com/zh/model-studio, compatibility with OpenAI; error code',
    chat: '/compatible-mode/v1/chat/completions',
    badKey: {
      status: 401,
      body: {
        error: {
          message: 'Incorrect API key provided.',
          type: 'invalid_request_error',
          param: null,
          code: 'invalid_api_key',
        },
        request_id: 'r-1',
      },
    },
    rateLimit: openaiError(
      429,
      'Requests rate limit exceeded, please try again later.',
      'LimitRequests',
      'LimitRequests',
    ),
  }),
];

export const otherPaths: OtherPaths = {
  17: {
    ...under('/compatible-mode/v1', 'completions', 'embeddings'),
    rerank: '/compatible-api/v1/reranks',
  },
};
