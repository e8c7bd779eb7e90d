import { lookAlike, openaiError } from '../../testing/openai-like.ts';
import { OPENAI_PATHS, type OtherPaths } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 108,
    name: 'Tollgate / New API',
    reference: 'the paths of this gateway',
    badKey: openaiError(401, '无效的令牌', 'new_api_error'),
    rateLimit: openaiError(429, '当前分组上游负载已饱和，请稍后再试', 'new_api_error'),
  }),
];

export const otherPaths: OtherPaths = {
  108: OPENAI_PATHS,
};
