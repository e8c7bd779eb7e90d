import type { claimKinds, journalKinds } from '#contract/codes.ts';
import type { CallLog } from '../log/log.ts';

/**
 * The only way quota moves. Amounts are whole units from 0 to 2^53−1.
 *
 * A call's money moves in two phases, once, by its id (the request id): `hold` takes the worst case aside, then
 * `settle` charges what was used or `void` gives everything back. Calls of one tick share one database transaction;
 * each promise resolves only after that transaction committed. Every method is idempotent by id: repeating it changes
 * nothing and returns the first result.
 */
export interface Ledger {
  /**
   * available → held, on the user and (if given and not unlimited) the token, both or neither. Refuses users and tokens
   * that are disabled or deleted at that moment.
   */
  hold(hold: Hold): Promise<HoldOutcome>;
  /**
   * available → held once more, for an open hold: raises it to a total. A user or token disabled meanwhile still pays,
   * as in a settlement, because the call was allowed when it began.
   */
  grow(growth: Growth): Promise<GrowOutcome>;
  /**
   * held → used for the charge, the rest back to available. Writes the log row, the counters of user, token and channel
   * and the hourly sums in the same transaction. A charge above the hold takes the rest from what is available to both
   * user and token; the house bears what is still missing, and the row says so. No balance goes below zero.
   */
  settle(settlement: Settlement): Promise<CloseOutcome>;
  /** held → available, all of it. Writes the log row, if given, in the same transaction. */
  void(id: string, nowMs: number, log?: CallLog): Promise<CloseOutcome>;
  /**
   * Records that a held call was sent upstream and its cost so far, which is charged after a crash. Ignores a lower
   * cost.
   */
  checkpoint(id: string, quotaUnits: number): Promise<void>;
  /** Every other movement of a user's quota: one journal row, unique by kind and ref. */
  move(movement: Movement): Promise<MoveOutcome>;
  /**
   * Turns a redemption code or a paid order into quota, at most once: closes the code or order, credits the user, and
   * writes the movement and the log row in one transaction.
   */
  claim(claim: Claim): Promise<ClaimOutcome>;
  /**
   * Closes abandoned holds: of a run that ended (`before` its start), of a node that is no longer alive, or past their
   * expiry. Never sent → void. Sent → charged their last checkpoint, at most the hold. Each writes a system log row.
   */
  resolveAbandoned(before: {
    readonly createdBeforeMs: number;
    readonly expiredAtMs: number;
  }): Promise<number>;
}

/** The hold that a call requests; the id is the request id. */
export interface Hold {
  readonly id: string;
  readonly userId: number;
  /** Null for the playground: only the user pays. */
  readonly tokenId: number | null;
  readonly quotaUnits: number;
  /**
   * If less than `quotaUnits` is available, holds everything available, but not less than this. If missing, holds all
   * or nothing.
   */
  readonly leastUnits?: number | undefined;
  /** The most the call could cost. If the payer has less, the outcome says how much. */
  readonly mostUnits?: number | undefined;
  /** Holds `mostUnits` if that much is available, for calls whose use is only known at the end. */
  readonly takesMost?: boolean | undefined;
  /** Holds `mostUnits` only if at least this much is available, so that other calls of the payer can run. */
  readonly mostFromUnits?: number | undefined;
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

/** Something was held: less than requested, or all of it although the payer cannot pay the most. */
export interface HeldOfLittle {
  readonly state: 'held';
  readonly quotaUnits: number;
  /** What user and token could pay for this call at that moment, the hold included. */
  readonly payableUnits: number;
}

/** Raises a hold to a total, so that a repeated request takes nothing twice. */
export interface Growth {
  readonly id: string;
  readonly quotaUnits: number;
  /** If less is available, the hold grows as far as possible; if that is below this total, it does not grow. */
  readonly leastUnits: number;
}

/** The result of growing a hold. */
export type GrowOutcome =
  /** `quotaUnits`: the total now held. */
  | { readonly state: 'grown'; readonly quotaUnits: number }
  | Shortage
  | { readonly state: 'already_closed' }
  | { readonly state: 'missing' };

/** The user's balance or the token's budget is too low: what is available, and what running calls hold. */
export interface Shortage {
  readonly state: 'user_short' | 'token_short';
  readonly availableUnits: number;
  readonly heldUnits: number;
}

/** Why nothing was held. */
export type HoldRefusal = 'duplicate' | 'user_refused' | 'token_refused' | Shortage;
/** The result of a hold. */
export type HoldOutcome = 'held' | HeldOfLittle | HoldRefusal;

/** Narrows an outcome to those that hold nothing. */
export const isRefused = (outcome: HoldOutcome): outcome is HoldRefusal =>
  outcome !== 'held' && (typeof outcome === 'string' || outcome.state !== 'held');

/** The end of a call that is charged. */
export interface Settlement {
  readonly id: string;
  readonly quotaUnits: number;
  readonly nowMs: number;
  readonly log: CallLog;
  /** False if the operator switched consumption logs off: the money still moves. */
  readonly writeLog: boolean;
}

/** The result of closing a hold. `houseLossUnits` was used and nobody paid it. */
export type CloseOutcome =
  | {
      readonly state: 'closed';
      readonly chargedUnits: number;
      readonly houseLossUnits: number;
      readonly userQuotaUnits: number;
      /** What the user's other calls hold, of which they give back what they do not use. */
      readonly userHeldUnits: number;
    }
  /** `wasCharged`: whether it was settled rather than given back. */
  | { readonly state: 'already_closed'; readonly wasCharged: boolean }
  | { readonly state: 'missing' };

/** Every kind of journal row. */
export type JournalKind = (typeof journalKinds)[number];
/** Kinds of movement that only a code or an order can cause. */
export type ClaimKind = (typeof claimKinds)[number];
/** Kinds of movement that need no code and no order. */
export type MovementKind = Exclude<JournalKind, ClaimKind>;

/** What calls had used and held when a balance was read. The held part is not always known. */
export interface SpentAsRead {
  readonly usedUnits: number;
  readonly heldUnits?: number | undefined;
}

/** A change of a balance that is not a call. */
export interface Movement {
  readonly kind: MovementKind;
  /** The source of the money: `new-user:7`. Each pair (kind, ref) exists once. */
  readonly ref: string;
  readonly userId: number;
  /** Positive credits, negative takes; refused if it takes more than is available. */
  readonly deltaUnits: number;
  /**
   * The target balance, if the caller sets one: `deltaUnits` is then computed inside. Units that running calls give
   * back later are not added to it.
   */
  readonly toUnits?: number | undefined;
  /** What the sender of `toUnits` had read with it: if calls have changed the balance since, nothing is set. */
  readonly read?: SpentAsRead | undefined;
  /** The change of invite earnings: positive when an invited user joins, negative when earnings become quota. */
  readonly earnedUnits?: number | undefined;
  readonly reason: string;
  readonly actorId: number;
  readonly nowMs: number;
  /** Written with the movement or not at all. With a target balance, its content gets `before` and `after`. */
  readonly log?: CallLog | undefined;
}

/** The result of a movement; only `moved` changed anything. */
export type MoveOutcome =
  | 'moved'
  | 'duplicate'
  | 'user_missing'
  | 'would_be_negative'
  | 'would_overflow'
  /** The target equals what was read, so nothing is set. */
  | 'unchanged'
  /** The target differs, but calls have changed the balance since it was read. */
  | 'stale';

/** A redemption code or paid order that becomes quota. */
export interface Claim {
  readonly kind: ClaimKind;
  /** The id of the redemption code or the top-up order. */
  readonly id: number;
  readonly userId: number;
  /** The journal's note: the code's name or the order's number. */
  readonly reason: string;
  readonly nowMs: number;
  /** The log row of the credit; its quota is filled in. */
  readonly log: CallLog;
}

/**
 * `taken`: already used or disabled. `expired`: past its time. `missing`: does not exist, or belongs to another user.
 */
export type ClaimOutcome =
  | { readonly state: 'claimed'; readonly quotaUnits: number; readonly userQuotaUnits: number }
  | { readonly state: 'missing' | 'taken' | 'expired' | 'user_missing' | 'would_overflow' };
