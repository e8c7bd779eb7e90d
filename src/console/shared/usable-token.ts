import type { listTokens } from '#contract/api/people/tokens.ts';
import { NEVER_EXPIRES, tokenStatus } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';

/** Whether a token can be used right now: it may have expired since the server sent it. */
export const isUsable = (token: Data<typeof listTokens>['items'][number]): boolean =>
  token.status === tokenStatus.enabled &&
  (token.expired_time === NEVER_EXPIRES || token.expired_time * 1000 > Date.now()) &&
  (token.unlimited_quota || token.remain_quota > 0);
