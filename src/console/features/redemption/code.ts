import type { listRedemptions } from '#contract/api/wallet/redemptions.ts';
import { redemptionStatus } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';

/** A redemption code as the API returns it. */
export type Code = Data<typeof listRedemptions>['items'][number];

/** The query key of the list. */
export const CODES = 'redemptions';

export type CodeState = 'unused' | 'disabled' | 'used' | 'expired';

/** A code's current state: it cannot be redeemed after it has expired, whatever its status. */
export const stateOf = (code: Code, nowMs: number = Date.now()): CodeState => {
  if (code.status === redemptionStatus.used) return 'used';
  if (code.status === redemptionStatus.disabled) return 'disabled';
  return code.expired_time !== 0 && code.expired_time * 1000 <= nowMs ? 'expired' : 'unused';
};

export const mayEdit = (code: Code): boolean => code.status === redemptionStatus.unused;

/** `name    code`, one per line. */
export const codeLines = (codes: readonly Code[]): string =>
  codes
    .filter(({ key }) => key !== '')
    .map(({ name, key }) => `${name}    ${key}`)
    .join('\n');
