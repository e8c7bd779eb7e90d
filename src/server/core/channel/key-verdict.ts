import type { AppError } from '../error.ts';

/**
 * What an error says of the key that was used: it is not accepted, its money is gone for now, it has used its rate, or it may
 * not do this call.
 */
export type KeyVerdict = 'revoked' | 'spent' | 'limited' | 'denied';

const SPENT: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'insufficient_balance',
  'insufficient_credits',
  'quota_exceeded',
  'billing_not_active',
  'billing_hard_limit_reached',
  'pre_consume_token_quota_failed',
]);
const REVOKED: ReadonlySet<string> = new Set([
  'invalid_api_key',
  'account_deactivated',
  'authentication_error',
]);
/** Statuses whose text is about the account; other texts may repeat the caller's own words. */
const OF_ACCOUNT: ReadonlySet<number> = new Set([401, 402, 403, 429]);
const SPENT_WORDS = [
  /insufficient[ _](?:user[ _])?(?:quota|balance|credit|fund)/i,
  /exceeded your current quota|credit balance is too low|billing (?:hard )?limit/i,
  /(?:quota|credits?|balance) (?:is |are |has been |have been )?(?:exhausted|used up|depleted)/i,
  /余额不足|(?:额度|配额)(?:不足|已?用[尽完])/,
];

/** What an error says of the key; undefined if it is about the upstream or the call. */
export const keyVerdict = ({ upstream }: AppError): KeyVerdict | undefined => {
  if (upstream === undefined) return undefined;
  const { status, type = '', code = '', message } = upstream;
  const isOfAccount = OF_ACCOUNT.has(status) || upstream.ofAccount === true;
  if (status === 402 || SPENT.has(code) || SPENT.has(type)) return 'spent';
  if (isOfAccount && SPENT_WORDS.some((words) => words.test(message))) return 'spent';
  if (status === 401 || REVOKED.has(code) || REVOKED.has(type)) return 'revoked';
  if (status === 429) return 'limited';
  return isOfAccount ? 'denied' : undefined;
};
