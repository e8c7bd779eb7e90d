import type { OptionValues } from '#contract/options.ts';
import type { AppError } from '../error.ts';

/** How a channel has been doing lately. Immutable: every result makes a new one. */
export interface Health {
  /** Failures since `windowStartMs`, without a success between. */
  readonly failures: number;
  readonly windowStartMs: number;
  /** Cooling down until then; 0 when it is not. */
  readonly coolUntilMs: number;
  /** How often it has cooled down without a success between. */
  readonly rounds: number;
  /** One call is trying whether it works again; the others wait for how that goes. */
  readonly trial: boolean;
}

export const healthy: Health = { failures: 0, windowStartMs: 0, coolUntilMs: 0, rounds: 0, trial: false };

const WINDOW_MS = 60_000;
const FAILURES_TO_COOL = 5;
const FIRST_COOL_MS = 10_000;
const LONGEST_COOL_MS = 300_000;
/** While one call tries a channel that has cooled down, the others keep away for this long at most. */
const TRIAL_MS = 30_000;

/** Whether calls keep away from the channel for now. */
export const isCooling = (health: Health, nowMs: number): boolean => nowMs < health.coolUntilMs;

/** A channel that cooled down and is due: the next call is its trial. */
export const isTrial = (health: Health, nowMs: number): boolean =>
  health.coolUntilMs > 0 && nowMs >= health.coolUntilMs;

/** The trial has begun: everybody else waits for how it goes. */
export const trialBegun = (health: Health, nowMs: number): Health => ({
  ...health,
  trial: true,
  coolUntilMs: nowMs + TRIAL_MS,
});

/**
 * Five failures within a minute cool a channel down, for 10 s at first and twice as long each time after, up to
 * 5 minutes; one failure of a trial is enough, and one of a channel that was silent to everybody. A channel that says
 * when to come back is left alone until then.
 * @param wasSilent nobody heard of the channel for as long as this call waited for it in vain
 */
export const afterFailure = (
  health: Health,
  nowMs: number,
  retryAfterSeconds: number | undefined,
  wasSilent = false,
): Health => {
  if (retryAfterSeconds !== undefined && retryAfterSeconds > 0) {
    const waitMs = Math.min(retryAfterSeconds * 1000, LONGEST_COOL_MS);
    return {
      ...health,
      failures: 0,
      trial: false,
      coolUntilMs: Math.max(health.coolUntilMs, nowMs + waitMs),
    };
  }
  // Calls that were on their way when the cooling began end late: they say nothing new.
  if (!health.trial && isCooling(health, nowMs)) return health;
  const inWindow = nowMs - health.windowStartMs < WINDOW_MS;
  const failures = inWindow ? health.failures + 1 : 1;
  if (!health.trial && !wasSilent && failures < FAILURES_TO_COOL) {
    return { ...health, failures, windowStartMs: inWindow ? health.windowStartMs : nowMs };
  }
  const coolMs = Math.min(FIRST_COOL_MS * 2 ** health.rounds, LONGEST_COOL_MS);
  return {
    failures: 0,
    windowStartMs: nowMs,
    coolUntilMs: nowMs + coolMs,
    rounds: health.rounds + 1,
    trial: false,
  };
};

/** Whether a failure says something about the channel: not when the caller sent something wrong or went away. */
export const countsAgainstChannel = (error: AppError): boolean => {
  // The model lost its way in this one prompt.
  if (error.reason === 'malformed_answer') return false;
  const status = error.upstream?.status ?? 0;
  if (status !== 0)
    return status === 401 || status === 403 || status === 404 || status === 429 || status >= 500;
  // Trouble of our own, or of the caller, says nothing about it.
  const isOurs = error.code === 'unavailable' && error.upstream === undefined;
  return error.code !== 'client_closed' && error.code !== 'invalid_request' && !isOurs;
};

const CODES: ReadonlySet<string> = new Set([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'pre_consume_token_quota_failed',
]);
const TYPES: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
]);
const KEYWORDS_MAX = 500;
const REASON_MAX_LENGTH = 300;

/**
 * Why a channel has to be switched off after this error, or undefined: the upstream answered 401, its error's code or
 * type is one of those that do not pass by themselves, or its message has one of the operator's keywords.
 */
export const disableReason = (
  error: AppError,
  options: Pick<OptionValues, 'AutomaticDisableChannelEnabled' | 'AutomaticDisableKeywords'>,
): string | undefined => {
  const { upstream } = error;
  if (!options.AutomaticDisableChannelEnabled || upstream === undefined) return undefined;
  const message = upstream.message.toLowerCase();
  const listed =
    upstream.status === 401 ||
    CODES.has(upstream.code ?? '') ||
    TYPES.has(upstream.type ?? '') ||
    keywordsOf(options.AutomaticDisableKeywords).some((keyword) => message.includes(keyword));
  if (!listed) return undefined;
  const status = upstream.status === 0 ? '' : `status ${String(upstream.status)}, `;
  return `${status}${upstream.message}`.slice(0, REASON_MAX_LENGTH);
};

const keywordsOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().toLowerCase())
    .filter((line) => line !== '')
    .slice(0, KEYWORDS_MAX);
