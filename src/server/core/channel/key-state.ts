import type { KeyState } from './pool.ts';
import type { KeyVerdict } from './key-verdict.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** A month and a day: until then a quota of a month is there again. Whatever an upstream says, no key waits longer. */
const LONGEST_SPENT_MS = 32 * DAY_MS;
const LONGEST_COOLING_MS = DAY_MS;
/** Where the upstream names no time: at first ten minutes, doubled each time, up to a day. */
const FIRST_WAIT_MS = 10 * MINUTE_MS;
/** A shorter pause passes before others could hear of it, and is kept by the relay alone. */
export const KEPT_PAUSE_SECONDS = 60;
/** While one call tries a key that has waited, others leave it alone for at most so long. */
export const KEY_TRIAL_MS = 60_000;
/** What waits longer waits by a clock that was put back. */
export const LONGEST_WAIT_MS = LONGEST_SPENT_MS + KEY_TRIAL_MS;
const REASON_MAX_LENGTH = 300;

export const enabledKey: KeyState = { status: 'enabled', reason: '', untilMs: 0, rounds: 0 };

/** Whether a key waits, and comes back by itself. */
export const isWaiting = ({ status }: Pick<KeyState, 'status'>): boolean =>
  status === 'cooling' || status === 'spent';

/** Whether a wait is over. A time further away than any wait is a clock that was put back: it has lasted long enough. */
export const isPast = (untilMs: number, nowMs: number): boolean =>
  nowMs >= untilMs || untilMs - nowMs > LONGEST_WAIT_MS;

/** Whether a waiting key may be tried by one call. */
export const isDue = (state: KeyState, nowMs: number): boolean =>
  isWaiting(state) && isPast(state.untilMs, nowMs);

/** Whether calls may ever be sent with the key again without anybody doing something. */
export const isLeft = ({ status }: Pick<KeyState, 'status'>): boolean =>
  status === 'enabled' || status === 'cooling' || status === 'spent';

/** News of a key, from whoever sent a call with it. */
export interface KeyNews {
  readonly channelId: number;
  readonly keyId: number;
  /** When the call began; wall clock. */
  readonly sinceMs: number;
  readonly refusal: KeyRefusal;
}

/** What a call said of the key it was sent with. */
export interface KeyRefusal {
  readonly verdict: KeyVerdict;
  /** In the upstream's words. */
  readonly reason: string;
  readonly retryAfterSeconds: number | undefined;
  /** The operator lets keys be switched off by themselves. */
  readonly mayDisable: boolean;
  /** The error is one for which a channel of one key would be switched off. */
  readonly isLasting: boolean;
  /** It was the one call that tried the key after its wait. */
  readonly isTrial: boolean;
}

const waitOf = (askedMs: number | undefined, rounds: number, longestMs: number): number =>
  askedMs === undefined || !(askedMs > 0)
    ? Math.min(FIRST_WAIT_MS * 2 ** Math.min(rounds, 10), DAY_MS, longestMs)
    : Math.min(Math.max(askedMs, MINUTE_MS), longestMs);

/**
 * The key's state after a refusal; undefined if it stays. A key that is not accepted is switched off, where that may be, else
 * it waits; one without money waits for the time the upstream names, at most a month, else longer each time; one over its
 * rate waits if the pause is long. Late news of calls sent before the wait began change nothing.
 */
export const afterRefusal = (state: KeyState, refusal: KeyRefusal, nowMs: number): KeyState | undefined => {
  const { verdict, mayDisable, isLasting, isTrial } = refusal;
  if (!isLeft(state) || (isWaiting(state) && !isTrial && verdict !== 'revoked')) return undefined;
  const reason = refusal.reason.slice(0, REASON_MAX_LENGTH);
  const askedMs = refusal.retryAfterSeconds === undefined ? undefined : refusal.retryAfterSeconds * 1000;
  const waiting = (status: 'cooling' | 'spent', longestMs: number): KeyState => ({
    status,
    reason,
    untilMs: Math.round(nowMs + waitOf(askedMs, state.rounds, longestMs)),
    rounds: state.rounds + 1,
  });
  if (verdict === 'spent') return waiting('spent', LONGEST_SPENT_MS);
  if (verdict === 'revoked' || (verdict === 'denied' && isLasting)) {
    if (mayDisable) return { status: 'revoked', reason, untilMs: 0, rounds: 0 };
    return isWaiting(state) && !isTrial ? undefined : waiting('cooling', LONGEST_COOLING_MS);
  }
  const isLong = askedMs !== undefined && askedMs > KEPT_PAUSE_SECONDS * 1000;
  return isLong || (verdict === 'limited' && isTrial) ? waiting('cooling', LONGEST_COOLING_MS) : undefined;
};

/** The state after a call succeeded; undefined if it stays. A key that somebody switched off stays off. */
export const afterAnswer = (state: KeyState): KeyState | undefined =>
  state.status === 'enabled' || state.status === 'off' ? undefined : enabledKey;
