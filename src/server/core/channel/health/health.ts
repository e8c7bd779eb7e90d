import type { OptionValues } from '#contract/options.ts';
import { ANSWER_TOO_LONG, type AppError, type ErrorCode, LONGEST_COOL_SECONDS } from '../../error.ts';
import { REASON_MAX_LENGTH } from '../keys/key-state.ts';
import { keyVerdict, reportedStatus } from '../keys/key-verdict.ts';

/**
 * How well something has worked recently: a model at one seat, a whole seat, or a whole channel. Immutable: every
 * result creates a new one. Kept only for what failed within the last minute or is cooling.
 */
export interface Health {
  /** When it failed in the last minute without a success in between; of many only the last. */
  readonly row: readonly number[];
  /** When answers broke off in the last minute without a whole one in between; of many only the last. */
  readonly broken: readonly number[];
  /** Calls avoid it until this time; 0 if it is not cooling. */
  readonly coolUntilMs: number;
  readonly cooledAtMs: number;
  /** How often it cooled without a success in between. */
  readonly rounds: number;
  /** Whether one call is testing if it works again; others wait for the result. */
  readonly trial: boolean;
  /**
   * Why it cools: failures in a row, too high a rate of failures, answers that broke off, or because the upstream named a
   * time.
   */
  readonly because: 'row' | 'rate' | 'broken' | 'told';
  /** Results of the last minute, oldest first. */
  readonly recent: readonly Bucket[];
}

interface Bucket {
  readonly startMs: number;
  readonly failures: number;
  readonly successes: number;
}

export const healthy: Health = {
  row: [],
  broken: [],
  coolUntilMs: 0,
  cooledAtMs: 0,
  rounds: 0,
  trial: false,
  because: 'row',
  recent: [],
};

const WINDOW_MS = 60_000;
const BUCKET_MS = 10_000;
const FAILURES_TO_COOL = 5;
/** This many failures within the window, and at least as many as successes, also start a cooldown. */
const FAILURES_OF_RATE = 10;
const FIRST_COOL_MS = 10_000;
export const LONGEST_COOL_MS = LONGEST_COOL_SECONDS * 1000;
/** The longest time other calls avoid it during a trial. */
const TRIAL_MS = 30_000;
/** After this many calls went elsewhere, one trial costs little, so it need not wait for the end of a long cooldown. */
const PASSED_FOR_EARLY_TRIAL = 400;

/**
 * Whether calls avoid it now.
 * @param passed how many calls have avoided it since the cooldown began
 */
export const isCooling = (health: Health, nowMs: number, passed = 0): boolean =>
  nowMs < health.coolUntilMs &&
  (health.trial ||
    health.because === 'told' ||
    passed < PASSED_FOR_EARLY_TRIAL ||
    nowMs < health.cooledAtMs + FIRST_COOL_MS);

/** How late it may be noticed that many calls went elsewhere. */
const EARLY_TRIAL_LATE_MS = 1000;

/** Until when it surely cools, if nothing new happens: many calls that go elsewhere bring its trial forward. */
export const coolsUntil = ({ coolUntilMs, trial, because }: Health, nowMs: number): number =>
  trial || because === 'told' ? coolUntilMs : Math.min(coolUntilMs, nowMs + EARLY_TRIAL_LATE_MS);

/** Whether its cooldown is over without a success since: the next call is its trial. */
export const isTrial = (health: Health, nowMs: number, passed = 0): boolean =>
  health.coolUntilMs > 0 && !isCooling(health, nowMs, passed);

/** Starts the trial: other calls wait for its result. */
export const trialBegun = (health: Health, nowMs: number): Health => ({
  ...health,
  trial: true,
  coolUntilMs: nowMs + TRIAL_MS,
});

/** The trial ended without a result, for example because its caller left: the next call is the trial. */
export const trialVoid = (health: Health, nowMs: number): Health =>
  health.trial ? { ...health, trial: false, coolUntilMs: nowMs } : health;

/** Another relay saw it fail and started a cooldown of this length. */
export const cooledElsewhere = (
  health: Health,
  nowMs: number,
  { coolMs, rounds, because }: Pick<Health, 'rounds' | 'because'> & { readonly coolMs: number },
): Health => ({
  ...health,
  row: [],
  trial: false,
  because,
  rounds: Math.max(health.rounds, rounds),
  cooledAtMs: nowMs,
  coolUntilMs: Math.max(health.trial ? 0 : health.coolUntilMs, nowMs + Math.min(coolMs, LONGEST_COOL_MS)),
});

/** Its upstream named a time to wait; at most five minutes are respected. */
export const afterWord = (health: Health, nowMs: number, waitMs: number): Health => ({
  ...health,
  row: [],
  trial: false,
  because: 'told',
  cooledAtMs: nowMs,
  coolUntilMs: Math.max(health.coolUntilMs, nowMs + Math.min(waitMs, LONGEST_COOL_MS)),
});

const counted = (recent: readonly Bucket[], nowMs: number, failures: number, successes: number): Bucket[] => {
  const kept = recent.filter(({ startMs }) => nowMs < startMs + WINDOW_MS);
  const last = kept.at(-1);
  if (last === undefined || nowMs >= last.startMs + BUCKET_MS)
    return [...kept, { startMs: nowMs, failures, successes }];
  const sum = { ...last, failures: last.failures + failures, successes: last.successes + successes };
  return [...kept.slice(0, -1), sum];
};

const failsTooOften = (recent: readonly Bucket[]): boolean => {
  const failures = recent.reduce((sum, bucket) => sum + bucket.failures, 0);
  const successes = recent.reduce((sum, bucket) => sum + bucket.successes, 0);
  return failures >= FAILURES_OF_RATE && failures >= successes;
};

/** What is known of a failure beside the fact. */
export interface Failure {
  /** The wait that the upstream asked for. */
  readonly retryAfterSeconds?: number | undefined;
  /** No call got anything from it while this call waited. */
  readonly wasSilent?: boolean;
  /** False if the failure is counted and decides nothing yet. */
  readonly mayCool?: boolean;
  /** The answer had begun. */
  readonly isBroken?: boolean;
}

/** The last failures of a minute, with this one. */
const inMinute = (times: readonly number[], nowMs: number): readonly number[] =>
  [...times.filter((ms) => nowMs - ms < WINDOW_MS), nowMs].slice(-FAILURES_TO_COOL);

/**
 * Five failures in a row within a minute start a cooldown: 10 s at first, doubled each time, up to 5 minutes; so do five
 * answers that broke off without a whole one in between, and ten failures where at least half of the minute's calls
 * failed. One failure is enough in a trial, or if it was silent for all calls.
 * If the upstream says when to come back, it is left alone until then.
 */
export const afterFailure = (
  health: Health,
  nowMs: number,
  { retryAfterSeconds, wasSilent = false, mayCool = true, isBroken = false }: Failure = {},
): Health => {
  if (retryAfterSeconds !== undefined && retryAfterSeconds > 0)
    return afterWord(health, nowMs, retryAfterSeconds * 1000);
  // Calls sent before the cooldown began may end late; they add nothing new.
  if (!health.trial && isCooling(health, nowMs)) return health;
  const row = isBroken ? health.row : inMinute(health.row, nowMs);
  const broken = isBroken ? inMinute(health.broken, nowMs) : health.broken;
  const recent = counted(health.recent, nowMs, 1, 0);
  const isLast = (isBroken ? broken : row).length === FAILURES_TO_COOL;
  const inRow = health.trial || wasSilent || isLast;
  if (!mayCool || (!inRow && !failsTooOften(recent))) return { ...health, row, broken, recent };
  const coolMs = Math.min(FIRST_COOL_MS * 2 ** health.rounds, LONGEST_COOL_MS);
  return {
    row: [],
    broken: [],
    cooledAtMs: nowMs,
    coolUntilMs: nowMs + coolMs,
    rounds: health.rounds + 1,
    trial: false,
    because: isBroken ? 'broken' : inRow ? 'row' : 'rate',
    recent: [],
  };
};

/**
 * Its answer has begun: a cooldown ends. Not one that is about more than one call, or that it asked for itself, unless
 * this was the trial; nor one after broken answers, as this one may break too. Undefined if nothing is left to be
 * remembered.
 */
export const afterSuccess = (health: Health, nowMs: number): Health | undefined => {
  if (health.because === 'broken' && health.coolUntilMs > 0) return health;
  if (!health.trial && health.because !== 'row' && nowMs < health.coolUntilMs) return health;
  if (health.coolUntilMs > 0) return undefined;
  const recent = counted(health.recent, nowMs, 0, 1);
  if (recent.every(({ failures }) => failures === 0)) return undefined;
  return { ...health, row: [], rounds: 0, recent };
};

/** Its answer has come to its end, which is the result of a trial after broken answers. */
export const afterWhole = (health: Health, nowMs: number): Health | undefined => {
  if (health.coolUntilMs === 0) return health.broken.length === 0 ? health : { ...health, broken: [] };
  const isOver = health.because === 'broken' && (health.trial || nowMs >= health.coolUntilMs);
  return isOver ? undefined : health;
};

/** Whether nothing about it needs to be remembered any more. */
export const isForgotten = (health: Health, nowMs: number): boolean => {
  const lastMs = Math.max(
    health.coolUntilMs + LONGEST_COOL_MS,
    (health.recent.at(-1)?.startMs ?? 0) + WINDOW_MS,
  );
  return nowMs >= lastMs;
};

/** What a failure is about: the model at any key, the model at this key, the key, or the upstream as a whole. */
export type Blame = 'model' | 'model_at_key' | 'key' | 'upstream';

/** Statuses of a gateway that cannot reach its server. */
const NOBODY_THERE: ReadonlySet<number> = new Set([502, 504, 520, 521, 522, 523, 524]);

/** What a failure is about, as far as the error shows. */
export const blameOf = (error: AppError): Blame => {
  const { upstream } = error;
  if (upstream === undefined || NOBODY_THERE.has(upstream.status)) return 'upstream';
  const verdict = keyVerdict(error);
  if (verdict === undefined) return 'model';
  return verdict === 'revoked' || verdict === 'spent' ? 'key' : 'model_at_key';
};

/** Of the caller, or of one call only: a channel that does not offer it may answer all others. */
const SAYS_NOTHING: ReadonlySet<ErrorCode> = new Set(['client_closed', 'invalid_request', 'not_implemented']);

/** Whether a failure counts against the channel: not if the caller made a mistake or left. */
export const countsAgainstChannel = (error: AppError): boolean => {
  // The model failed on this one prompt, or the request asked for too long an answer.
  if (error.reason === 'malformed_answer' || error.reason === ANSWER_TOO_LONG) return false;
  const status = error.upstream?.status ?? 0;
  if (status !== 0)
    return status === 401 || status === 403 || status === 404 || status === 429 || status >= 500;
  // Our own problems, or the caller's, say nothing about the channel.
  return !SAYS_NOTHING.has(error.code) && !isOwnFault(error);
};

/** Whether we could not do our part: the database, or the machine, had nothing left. */
export const isOwnFault = (error: AppError): boolean =>
  error.code === 'unavailable' && error.upstream === undefined;

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
    reportedStatus(upstream) === 401 ||
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
