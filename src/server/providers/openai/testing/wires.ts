import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import { OPENAI_PATHS, type OtherPaths } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
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
];

export const otherPaths: OtherPaths = {
  1: OPENAI_PATHS,
};
