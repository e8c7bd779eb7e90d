import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 31,
    name: '01.AI',
    reference: 'platform.lingyiwanwu.com/docs/api-reference',
    usage: 'last-piece',
    badKey: { status: 401, body: { error: { code: 'invalid_api_key', message: 'incorrect API key' } } },
    rateLimit: openaiError(429, 'Rate limit reached', 'rate_limit_exceeded'),
  }),
];

export const otherPaths: OtherPaths = {
  31: under('/v1', 'completions'),
};
