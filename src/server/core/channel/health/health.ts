import { LONGEST_COOL_SECONDS } from '../../error.ts';
import {
  counted,
  failsTooOften,
  inMinute,
  onlyUser,
  type Results,
  userOfAll,
  WINDOW_MS,
  withFailure,
} from './recent-results.ts';
import { isWidespread, type Origins, withOrigin } from './origins.ts';

/**
 * How well something has worked recently: a model at one seat, a whole seat, or a whole channel. Immutable: every
 * result creates a new one. Kept only for what failed within the last minute or is cooling.
 */
export interface Health {
  /** When it failed in the last minute since its last success; at most the last five times. */
  readonly row: readonly number[];
  /** When its answers broke off in the last minute since its last whole answer; at most the last five times. */
  readonly broken: readonly number[];
  /** Calls avoid it until this time; 0 if it is not cooling. */
  readonly coolUntilMs: number;
  readonly cooledAtMs: number;
  /** How often it failed since its last answer, however long ago. */
  readonly failures: number;
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
  readonly recent: Results;
  /** Where failures were seen; only for what stands for several models or keys. */
  readonly origins: Origins;
  /** It cools although some calls were answered, so a single answer does not prove that it works again. */
  readonly isMixed: boolean;
  /** When trials of this cooldown were answered. */
  readonly proofs: readonly number[];
  /**
   * The only user whose calls failed since the last answer, if each failure may be about the call itself or is that it was
   * late, as some prompts take longer than a limit; 0 if the failures are more than one user's doing.
   */
  readonly by: number | undefined;
}

export const healthy: Health = {
  row: [],
  broken: [],
  failures: 0,
  coolUntilMs: 0,
  cooledAtMs: 0,
  rounds: 0,
  trial: false,
  because: 'row',
  recent: [],
  origins: [],
  isMixed: false,
  proofs: [],
  by: undefined,
};

const FAILURES_TO_COOL = 5;
const SHARE_TO_COOL = 1 / 2;
/** The share of failures that starts a cooldown if each of them cost its caller a long wait, or the answer. */
const SHARE_OF_COSTLY = 1 / 5;
/**
 * What failed only sometimes counts as working again after so many successful trials in a row, or after trials have
 * succeeded for `PROVEN_AFTER_MS`.
 */
const PROOFS_OF_MIXED = 12;
const PROVEN_AFTER_MS = 15_000;
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

/**
 * Whether its failures count for a user's calls. Failures of one user alone count only for that user, because the calls
 * themselves may be impossible.
 */
export const countsFor = ({ by }: Health, userId: number): boolean =>
  by === undefined || by === 0 || by === userId;

/** How long it may take to notice that many calls went elsewhere. */
const EARLY_TRIAL_LATE_MS = 1000;

/** Until when it surely cools, if nothing new happens. Calls that go elsewhere may bring its trial forward. */
export const coolsUntil = ({ coolUntilMs, trial, because }: Health, nowMs: number): number =>
  trial || because === 'told' ? coolUntilMs : Math.min(coolUntilMs, nowMs + EARLY_TRIAL_LATE_MS);

/** How long a failure without an answer since makes it doubtful. */
const DOUBT_MS = 3_600_000;

/**
 * Whether it has failed lately and not answered since, however seldom: a call that has failed elsewhere goes to others
 * first.
 * @param least as many failures are needed, unless it has cooled down
 */
export const isDoubtful = (
  { coolUntilMs, row, broken, failures }: Health,
  nowMs: number,
  least = 1,
): boolean =>
  coolUntilMs > 0 ||
  ((least === 1 || failures >= least) &&
    nowMs - Math.max(row.at(-1) ?? -Infinity, broken.at(-1) ?? -Infinity) < DOUBT_MS);

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

interface CooledElsewhere extends Pick<Health, 'rounds' | 'because'> {
  readonly coolMs: number;
  /** The only user for whose calls it cools there; 0 if for everybody's. */
  readonly by: number;
}

/** Another relay saw it fail and started a cooldown of this length. */
export const cooledElsewhere = (
  health: Health,
  nowMs: number,
  { coolMs, rounds, because, by }: CooledElsewhere,
): Health => ({
  ...health,
  row: [],
  trial: false,
  because,
  isMixed: because === 'rate',
  proofs: [],
  rounds: Math.max(health.rounds, rounds),
  cooledAtMs: nowMs,
  coolUntilMs: Math.max(health.trial ? 0 : health.coolUntilMs, nowMs + Math.min(coolMs, LONGEST_COOL_MS)),
  by: onlyUser(health.by, by),
});

/** Its upstream named a time to wait; at most five minutes are respected. */
export const afterWord = (health: Health, nowMs: number, waitMs: number): Health => ({
  ...health,
  row: [],
  trial: false,
  because: 'told',
  cooledAtMs: nowMs,
  coolUntilMs: Math.max(health.coolUntilMs, nowMs + Math.min(waitMs, LONGEST_COOL_MS)),
  by: 0,
});

/** The details of a failure. */
export interface Failure {
  /** The wait that the upstream asked for. */
  readonly retryAfterSeconds?: number | undefined;
  /** It starts a cooldown alone: no call got anything from it while this call waited, or its only key was refused. */
  readonly isEnough?: boolean;
  /** False if too few models or keys have failed yet to conclude that all are affected. Default: true. */
  readonly speaksForAll?: boolean;
  /** It counts only for the share of failures, not for a row of them. */
  readonly isShareOnly?: boolean;
  /** The answer had begun. */
  readonly isBroken?: boolean;
  /** It cost its caller a long wait, or the answer. */
  readonly isCostly?: boolean;
  /** The names of the model, the key, or both that failed, if the health is of something that has several. */
  readonly origin?: readonly string[];
  /** The user whose call failed, if the failure may be about the call itself. */
  readonly userId?: number;
  /** The user whose call was late, as some prompts take longer than a limit; 0 if unknown. */
  readonly lateUserId?: number | undefined;
}

/**
 * Starts a cooldown of 10 s, doubled each time up to 5 minutes, after
 * - five failures in a row within a minute,
 * - five broken answers within a minute without a whole one in between,
 * - two failures, or broken answers, more than a minute apart, without an answer, or a whole one, in between,
 * - ten failures that are at least half of the minute's results, or a fifth if they are costly and, where several
 * models or keys are counted together, seen at many of them,
 * - one failure in a trial, one timeout while no other call was answered, or one refusal of its only key.
 * If the upstream says when to come back, it is avoided until then.
 */
export const afterFailure = (health: Health, nowMs: number, failure: Failure = {}): Health => {
  const { retryAfterSeconds, speaksForAll = true, isShareOnly = false, isBroken = false, origin } = failure;
  const { userId = 0, lateUserId = userId } = failure;
  if (retryAfterSeconds !== undefined && retryAfterSeconds > 0)
    return afterWord(health, nowMs, retryAfterSeconds * 1000);
  const by = onlyUser(health.by, lateUserId);
  // Calls sent before the cooldown began may end late; they add nothing new, except that others' calls fail, too.
  if (!health.trial && isCooling(health, nowMs)) return by === health.by ? health : { ...health, by };
  const counts = {
    row: isBroken || isShareOnly ? health.row : inMinute(health.row, nowMs, FAILURES_TO_COOL),
    broken: isBroken && !isShareOnly ? inMinute(health.broken, nowMs, FAILURES_TO_COOL) : health.broken,
    failures: health.failures + (isShareOnly || !speaksForAll ? 0 : 1),
    recent: withFailure(health.recent, nowMs, lateUserId),
    origins: origin === undefined ? health.origins : withOrigin(health.origins, origin, nowMs),
  };
  const isRow = !isShareOnly && speaksForAll && endsRow(health, counts, failure);
  const isOften = isTooOften(counts, nowMs, failure);
  const { trial, because } = health;
  if (!isRow && !isOften && !(trial && because === 'rate')) return { ...health, ...counts, by };
  const isMixed = trial ? health.isMixed : isOften && counts.recent.some(({ successes }) => successes > 0);
  const isRate = trial ? because === 'rate' : isMixed || !isRow;
  return {
    ...healthy,
    cooledAtMs: nowMs,
    coolUntilMs: nowMs + Math.min(FIRST_COOL_MS * 2 ** health.rounds, LONGEST_COOL_MS),
    rounds: health.rounds + 1,
    because: isBroken ? 'broken' : isRate ? 'rate' : 'row',
    isMixed,
    by: isRow || trial || failure.lateUserId === undefined ? by : userOfAll(counts.recent),
  };
};

type Counts = Pick<Health, 'row' | 'broken' | 'recent' | 'origins' | 'failures'>;

const endsRow = ({ trial }: Health, { row, broken, failures }: Counts, failure: Failure): boolean => {
  const { isEnough = false, isBroken = false } = failure;
  const times = isBroken ? broken : row;
  // With few calls there are never five within a minute.
  const isSlowRow = failures > 1 && times.length === 1;
  return trial || isEnough || times.length === FAILURES_TO_COOL || isSlowRow;
};

const isTooOften = (
  { recent, origins }: Counts,
  nowMs: number,
  { speaksForAll = true, isShareOnly = false, isCostly = false, origin }: Failure,
): boolean => {
  if (speaksForAll && !isShareOnly && failsTooOften(recent, SHARE_TO_COOL)) return true;
  if (origin !== undefined && !isWidespread(origins, nowMs)) return false;
  return failsTooOften(recent, isCostly ? SHARE_OF_COSTLY : SHARE_TO_COOL);
};

/**
 * Its answer has begun, which ends a cooldown. Exceptions: a cooldown for a rate of failures or for a named wait,
 * unless this was its trial; and one for broken answers, because this answer may break too. Undefined if nothing is
 * left to remember.
 */
export const afterSuccess = (health: Health, nowMs: number): Health | undefined => {
  if (health.because === 'broken' && health.coolUntilMs > 0) return health;
  if (!health.trial && health.because !== 'row' && nowMs < health.coolUntilMs) return health;
  if (health.coolUntilMs > 0) return afterProof(health, nowMs);
  const recent = counted(health.recent, nowMs, 0, 1);
  const isBroken = health.broken.length > 0;
  if (!isBroken && recent.every(({ failures }) => failures === 0)) return undefined;
  const failures = isBroken ? health.failures : 0;
  return { ...health, row: [], failures, rounds: 0, recent, by: undefined };
};

/** Its answer has come to its end, which completes a trial after broken answers. */
export const afterWhole = (health: Health, nowMs: number): Health | undefined => {
  if (health.coolUntilMs === 0)
    return health.broken.length === 0 ? health : { ...health, broken: [], failures: 0 };
  const isOver = health.because === 'broken' && (health.trial || nowMs >= health.coolUntilMs);
  return isOver ? afterProof(health, nowMs) : health;
};

/** A trial was answered. What failed only sometimes needs more trials, one after the other. */
const afterProof = (health: Health, nowMs: number): Health | undefined => {
  const proofs = [...health.proofs, nowMs];
  const isProven = proofs.length >= PROOFS_OF_MIXED || nowMs - (proofs[0] ?? nowMs) >= PROVEN_AFTER_MS;
  return health.isMixed && !isProven ? { ...health, trial: false, coolUntilMs: nowMs, proofs } : undefined;
};

/** Whether nothing about it has to be remembered any more. */
export const isForgotten = ({ coolUntilMs, recent }: Health, nowMs: number): boolean =>
  nowMs >= coolUntilMs + LONGEST_COOL_MS && nowMs >= (recent.at(-1)?.startMs ?? 0) + WINDOW_MS;
