import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 25,
    name: 'Moonshot',
    reference: 'platform.moonshot.cn/docs/api/chat',
    usage: 'choice',
    badKey: openaiError(
      429,
      'Your account is suspended, please check your plan and billing details',
      'exceeded_current_quota_error',
    ),
    rateLimit: openaiError(429, 'max request per minute reached: 3', 'rate_limit_reached_error'),
  }),
];
