import { lookAlike, openaiList } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 46,
    name: 'Baidu v2',
    reference: 'cloud.baidu.com/doc/qianfan-api, chat completions; error codes',
    chat: '/v2/chat/completions',
    usage: 'last-piece',
    badKey: {
      status: 401,
      body: {
        error: {
          code: 'invalid_iam_token',
          message: 'IAM Certification failed',
          type: 'invalid_request_error',
        },
        id: 'as-1',
      },
    },
    rateLimit: {
      status: 429,
      body: { error: { code: 'rpm_rate_limit_exceeded', message: 'Rate limit reached for RPM' }, id: 'as-1' },
    },
    models: openaiList('/v2/models'),
  }),
];

export const otherPaths: OtherPaths = {
  46: under('/v2', 'completions', 'embeddings', 'images', 'rerank'),
};
