import type { KeyState } from './pool.ts';
import type { KeyVerdict } from './key-verdict.ts';
import { DAY_MS, MINUTE_MS } from '../../time/spans.ts';

/** A month and a day, after which a monthly quota has been renewed. No key waits longer, whatever the upstream says. */
const LONGEST_SPENT_MS = 32 * DAY_MS;
const LONGEST_COOLING_MS = DAY_MS;
/** The wait if the upstream names no time: at first ten minutes, doubled each time, up to a day. */
const FIRST_WAIT_MS = 10 * MINUTE_MS;
/** Shorter pauses end before other relays would learn of them, so only this relay remembers them. */
export const KEPT_PAUSE_SECONDS = 60;
/** While one call tries a key after its wait, others avoid the key for at most this long. */
export const KEY_TRIAL_MS = 60_000;
/** A longer wait can only come from a clock that was set back. */
export const LONGEST_WAIT_MS = LONGEST_SPENT_MS + KEY_TRIAL_MS;
export const REASON_MAX_LENGTH = 300;

export const enabledKey: KeyState = { status: 'enabled', reason: '', untilMs: 0, rounds: 0 };

/** Whether the key waits and becomes usable again by itself. */
export const isWaiting = ({ status }: Pick<KeyState, 'status'>): boolean =>
  status === 'cooling' || status === 'spent';

/**
 * Whether a wait is over. A time further away than the longest wait comes from a clock that was set back, so that wait
 * is over too.
 */
export const isPast = (untilMs: number, nowMs: number): boolean =>
  nowMs >= untilMs || untilMs - nowMs > LONGEST_WAIT_MS;

/** Whether a waiting key may be tried by one call. */
export const isDue = (state: KeyState, nowMs: number): boolean =>
  isWaiting(state) && isPast(state.untilMs, nowMs);

/** Whether the key may become usable again without an administrator. */
export const canRecover = ({ status }: Pick<KeyState, 'status'>): boolean =>
  status === 'enabled' || status === 'cooling' || status === 'spent';

/** News about a key, from a call that used it. */
export interface KeyNews {
  readonly channelId: number;
  readonly keyId: number;
  /** When the call began, by the wall clock. */
  readonly sinceMs: number;
  readonly refusal: KeyRefusal;
}

/** What the upstream's refusal of a call says about its key. */
export interface KeyRefusal {
  readonly verdict: KeyVerdict;
  /** The upstream's message. */
  readonly reason: string;
  readonly retryAfterSeconds: number | undefined;
  /** Whether keys may be disabled automatically. */
  readonly mayDisable: boolean;
  /** Whether the error would disable a channel with a single key. */
  readonly isLasting: boolean;
  /** Whether it was the one call that tried the key after its wait. */
  readonly isTrial: boolean;
}

const waitOf = (askedMs: number | undefined, rounds: number, longestMs: number): number =>
  askedMs === undefined || !(askedMs > 0)
    ? Math.min(FIRST_WAIT_MS * 2 ** Math.min(rounds, 10), DAY_MS, longestMs)
    : Math.min(Math.max(askedMs, MINUTE_MS), longestMs);

/**
 * The key's state after a refusal; undefined if it does not change. A key that is not accepted is disabled if that is
 * allowed, else it waits. A key without money waits for the time the upstream names, at most a month, else longer each
 * time. A key over its rate waits if the pause is long. Refusals of calls sent before the wait began change nothing.
 */
export const afterRefusal = (state: KeyState, refusal: KeyRefusal, nowMs: number): KeyState | undefined => {
  const { verdict, mayDisable, isLasting, isTrial } = refusal;
  if (!canRecover(state) || (isWaiting(state) && !isTrial && verdict !== 'revoked')) return undefined;
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

/** The state after a call succeeded; undefined if it does not change. A key disabled by hand stays disabled. */
export const afterAnswer = (state: KeyState): KeyState | undefined =>
  state.status === 'enabled' || state.status === 'off' ? undefined : enabledKey;
