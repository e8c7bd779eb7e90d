import { tokenStatus } from '#contract/codes.ts';
import type { Token } from './token.ts';

type Bounds = Pick<Token, 'status' | 'expiresAtMs' | 'unlimited' | 'remainQuotaUnits'>;

const isExpired = ({ expiresAtMs }: Bounds, nowMs: number): boolean =>
  expiresAtMs !== null && expiresAtMs <= nowMs;
const isExhausted = ({ unlimited, remainQuotaUnits }: Bounds): boolean => !unlimited && remainQuotaUnits <= 0;

/**
 * Why an enabled token cannot be used: expired (3) or out of quota (4), else undefined. Source: specification, token
 * status.
 */
export const stopOf = (token: Bounds, nowMs: number): number | undefined => {
  if (isExpired(token, nowMs)) return tokenStatus.expired;
  return isExhausted(token) ? tokenStatus.exhausted : undefined;
};

/** A token's status at this moment: expiry needs no update of the row. A disabled token stays disabled. */
export const tokenStatusAt = (token: Bounds, nowMs: number): number =>
  token.status === tokenStatus.disabled ? token.status : (stopOf(token, nowMs) ?? token.status);
