import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 8,
    name: 'Custom',
    reference: 'any address that answers as platform.openai.com/docs/api-reference/chat',
    chat: '/whole/m-upstream/address',
    models: false,
    badKey: openaiError(401, 'no such key', 'authentication_error'),
    rateLimit: openaiError(429, 'slow down', 'rate_limit_error'),
  }),
];
