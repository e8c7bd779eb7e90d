import type { OptionValues } from '#contract/options.ts';
import type { AppError, ErrorCode } from '../error.ts';

/** How well a channel has been working lately. Immutable: every result makes a new one. */
export interface Health {
  /** Failures since `windowStartMs`, with no success in between. */
  readonly failures: number;
  readonly windowStartMs: number;
  /** Calls avoid the channel until then; 0 if it is not cooling. */
  readonly coolUntilMs: number;
  /** How often it has cooled down with no success in between. */
  readonly rounds: number;
  /** One call is testing whether the channel works again; the others wait for its result. */
  readonly trial: boolean;
}

export const healthy: Health = { failures: 0, windowStartMs: 0, coolUntilMs: 0, rounds: 0, trial: false };

const WINDOW_MS = 60_000;
const FAILURES_TO_COOL = 5;
const FIRST_COOL_MS = 10_000;
const LONGEST_COOL_MS = 300_000;
/** While a trial runs, other calls avoid the channel for at most this long. */
const TRIAL_MS = 30_000;

/** Whether calls avoid the channel for now. */
export const isCooling = (health: Health, nowMs: number): boolean => nowMs < health.coolUntilMs;

/** Whether the channel's cooldown is over but unproven: the next call is its trial. */
export const isTrial = (health: Health, nowMs: number): boolean =>
  health.coolUntilMs > 0 && nowMs >= health.coolUntilMs;

/** Starts the trial: all other calls wait for its result. */
export const trialBegun = (health: Health, nowMs: number): Health => ({
  ...health,
  trial: true,
  coolUntilMs: nowMs + TRIAL_MS,
});

/**
 * Five failures within a minute start a cooldown: 10 s at first, doubled each time, up to 5 minutes. One failure is
 * enough in a trial, or if the channel was silent for all calls. If the channel says when to come back, it is left
 * alone until then.
 * @param wasSilent no call got anything from the channel while this call waited
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
  // Calls sent before the cooldown began end late: they tell nothing new.
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

/** Of the caller, or of one call only: a channel that does not offer it may answer all others. */
const SAYS_NOTHING: ReadonlySet<ErrorCode> = new Set(['client_closed', 'invalid_request', 'not_implemented']);

/** Whether a failure counts against the channel: not if the caller made a mistake or left. */
export const countsAgainstChannel = (error: AppError): boolean => {
  // The model failed on this one prompt.
  if (error.reason === 'malformed_answer') return false;
  const status = error.upstream?.status ?? 0;
  if (status !== 0)
    return status === 401 || status === 403 || status === 404 || status === 429 || status >= 500;
  // Our own problems, or the caller's, say nothing about the channel.
  const isOurs = error.code === 'unavailable' && error.upstream === undefined;
  return !SAYS_NOTHING.has(error.code) && !isOurs;
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
 * Why a channel must be disabled after this error, or undefined: the upstream sent 401, its error code or type is
 * permanent, or its message contains one of the operator's keywords.
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
