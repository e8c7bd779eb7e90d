import type { AppError, UpstreamProblem } from '../../error.ts';

/**
 * What an error says about the key: it is not accepted, its money is used up for now, its rate is used up, or it may
 * not make this call.
 */
export type KeyVerdict = 'revoked' | 'spent' | 'limited' | 'denied';

const SPENT: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'insufficient_balance',
  'insufficient_credits',
  'insufficientbalance',
  'quota_exceeded',
  'quotaexceeded',
  'exceeded_current_quota_error',
  'usage_limit_reached',
  'billing_error',
  'billing_not_active',
  'billing_hard_limit_reached',
  'budget_exceeded',
  'pre_consume_token_quota_failed',
  'arrearage',
  'accountoverdueerror',
  'contract_spend_limit_reached',
  'enforced_spend_limit_reached',
]);
const REVOKED: ReadonlySet<string> = new Set([
  'invalid_api_key',
  'api_key_invalid',
  'invalidapikey',
  'account_deactivated',
  'account_disabled',
  'access_terminated',
  'authentication_error',
  'invalid_authentication_error',
]);
/** Statuses whose text is about the account. Other texts may repeat the caller's own words. */
const OF_ACCOUNT: ReadonlySet<number> = new Set([401, 402, 403, 429]);
const SPENT_WORDS = [
  /insufficient[ _](?:user[ _]|account[ _])?(?:quota|balance|credit|fund)|balance (?:is )?(?:not enough|too low)/i,
  /exceeded your current quota|exceeded your \w* ?included credits|used all available credits|payment required/i,
  /billing (?:hard )?limit|credit limit|usage limit (?:has been )?reached/i,
  /(?:quota|credits?|balance|usage limit)[ _](?:is |are |has been |have been )?(?:exceeded|exhausted|used up|depleted)/i,
  /^(?:budget has been exceeded|exceeded(?:token)?budget)/i,
  /account (?:is |was |has been )?(?:suspended|in arrears|overdue)/i,
  /余额不足|欠费|(?:额度|配额)(?:不足|已?用[尽完])|使用上限/,
];
/** Only the beginning is searched: an upstream names a problem of the account first, and quotes its caller later. */
const FIRST_WORDS_LENGTH = 200;
/**
 * Matches the unquoted beginning of a message. An upstream that repeats the caller's words does not begin with them.
 */
const UNQUOTED = /^(?:error: ?)?(?:[^'"`«“‘「『:：]|(?<=[a-z])'(?=[a-z])){0,60}?/;
const BALANCE_WORDS =
  /balance (?:is )?insufficient|out of credits?|credit balance is too low|余额(?:已?(?:耗尽|用完)|为零)/;
const BEGINS_SPENT = new RegExp(
  `${UNQUOTED.source}(?:${[...SPENT_WORDS, BALANCE_WORDS].map(({ source }) => source).join('|')})`,
  'i',
);

const hasSpentWords = (message: string): boolean => {
  const first = message.slice(0, FIRST_WORDS_LENGTH);
  return SPENT_WORDS.some((known) => known.test(first));
};

/** Whether an upstream's message begins by saying that the account has no money left, whatever its status. */
export const saysNoBalance = (message: string): boolean =>
  BEGINS_SPENT.test(message.slice(0, FIRST_WORDS_LENGTH));

/** An HTTP status as the code of an error that was sent under status 200. */
const NAMED_STATUS = /^[45]\d\d$/;

/** The status of an error; for an error sent under status 200, the status it names, or 0. */
export const reportedStatus = ({ status, code = '' }: UpstreamProblem): number =>
  status === 0 && NAMED_STATUS.test(code) ? Number(code) : status;

/** OpenAI's message, with a 429, for a call that exceeds its limit per minute by itself. */
const TOO_LARGE = /^request too large\b/i;

/**
 * Whether a limit refused this call for its size alone, so that waiting or another key of the account would not help.
 */
export const saysTooLarge = ({ upstream }: AppError): boolean =>
  upstream?.status === 429 && TOO_LARGE.test(upstream.message);

/** What an error says about the key; undefined if it is about the upstream or the call. */
export const keyVerdict = (error: AppError): KeyVerdict | undefined => {
  const { upstream } = error;
  if (upstream === undefined || error.code === 'invalid_request') return undefined;
  const status = reportedStatus(upstream);
  const words = [upstream.code, upstream.type].map((word = '') => word.toLowerCase());
  const hasOneOf = (known: ReadonlySet<string>): boolean => words.some((word) => known.has(word));
  if (status === 402 || hasOneOf(SPENT)) return 'spent';
  if (hasOneOf(REVOKED)) return 'revoked';
  const isOfAccount = OF_ACCOUNT.has(status) || upstream.ofAccount === true;
  // Under status 200 nothing shows whose fault it is, and the message may repeat the caller's words.
  if (isOfAccount ? hasSpentWords(upstream.message) : status === 0 && saysNoBalance(upstream.message))
    return 'spent';
  if (status === 401) return 'revoked';
  if (status === 429 || error.code === 'rate_limited') return saysTooLarge(error) ? undefined : 'limited';
  return isOfAccount ? 'denied' : undefined;
};

/** Whether every call with this key would fail: it is not accepted, or has no money left. */
export const isGone = (error: AppError): boolean => {
  const verdict = keyVerdict(error);
  return verdict === 'revoked' || verdict === 'spent';
};
