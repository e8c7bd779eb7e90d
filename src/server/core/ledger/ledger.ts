import type { CallLog } from '../log/log.ts';

/**
 * The only way quota moves. Amounts are whole units from 0 to 2^53−1.
 *
 * A call's money moves in two phases, once, by its id (the request id):
 * `hold` takes the worst case aside, then `settle` charges what was used or `void` gives everything back.
 * Calls of one tick share one database transaction; each promise resolves only after that transaction committed.
 * Every method is idempotent by id: doing it again changes nothing and says what happened before.
 */
export interface Ledger {
  /**
   * available → held, on the user and (when given and not unlimited) the token, both or neither.
   * Refuses users and tokens that are disabled or deleted at that very moment.
   */
  hold(hold: Hold): Promise<HoldOutcome>;
  /**
   * held → used for what was charged, the rest back to available; writes the log row, the counters of user, token and
   * channel and the hourly roll-up in the same transaction. A charge above the hold takes the rest from what is
   * available; what is missing even then is the house's loss. No balance goes below zero.
   */
  settle(settlement: Settlement): Promise<CloseOutcome>;
  /** held → available, all of it. The log row, when given, is written in the same transaction. */
  void(id: string, nowMs: number, log?: CallLog): Promise<CloseOutcome>;
  /**
   * Notes that a held call has been sent upstream and what it has cost so far, so that after a crash it is charged
   * that much. Lowering is ignored.
   */
  checkpoint(id: string, quotaUnits: number): Promise<void>;
  /** Every other movement of a user's quota: one journal row, unique by kind and ref. */
  move(movement: Movement): Promise<MoveOutcome>;
  /**
   * Turns a redemption code or a paid order into quota, at most once whoever asks and however often: the code or order
   * is closed, the user credited, the movement and the log row written in one transaction.
   */
  claim(claim: Claim): Promise<ClaimOutcome>;
  /**
   * Closes holds that nobody will close: those of a run that ended (`before` its start), of a node that is no longer in
   * the list of living ones, or past their time.
   * Never sent → void. Sent → charged their last checkpoint, at most the hold. Each leaves a system log row.
   */
  resolveAbandoned(before: {
    readonly createdBeforeMs: number;
    readonly expiredAtMs: number;
  }): Promise<number>;
}

export interface Hold {
  readonly id: string;
  readonly userId: number;
  /** Null for the playground: only the user pays. */
  readonly tokenId: number | null;
  readonly quotaUnits: number;
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

/** Too little is available of the user's balance or the token's budget: how much is, and how much running calls hold. */
export interface Shortage {
  readonly state: 'user_short' | 'token_short';
  readonly availableUnits: number;
  readonly heldUnits: number;
}

export type HoldOutcome = 'held' | 'duplicate' | 'user_refused' | 'token_refused' | Shortage;

export interface Settlement {
  readonly id: string;
  readonly quotaUnits: number;
  readonly nowMs: number;
  readonly log: CallLog;
  /** False when the operator switched consumption logs off: the money moves all the same. */
  readonly writeLog: boolean;
}

export type CloseOutcome =
  | {
      readonly state: 'closed';
      readonly chargedUnits: number;
      readonly houseLossUnits: number;
      readonly userQuotaUnits: number;
    }
  | { readonly state: 'already_closed' }
  | { readonly state: 'missing' };

export type MovementKind = 'grant' | 'invite' | 'transfer' | 'admin' | 'correction';
/** What only a code or an order can be the source of. */
export type ClaimKind = 'redeem' | 'topup';
/** Everything a journal row can be. */
export type JournalKind = MovementKind | ClaimKind;

export interface Movement {
  readonly kind: MovementKind;
  /** Where the money comes from: `new-user:7`. The pair (kind, ref) exists once. */
  readonly ref: string;
  readonly userId: number;
  /** Positive credits, negative takes; taking more than is available is refused. */
  readonly deltaUnits: number;
  /** The balance it should leave, where somebody names that: `deltaUnits` is then worked out inside. */
  readonly toUnits?: number | undefined;
  /** The same for what inviting others has earned: positive when somebody came, negative when it becomes quota. */
  readonly earnedUnits?: number | undefined;
  readonly reason: string;
  readonly actorId: number;
  readonly nowMs: number;
  /** Written with the movement or not at all. Where a balance was named, its content is told `before` and `after`. */
  readonly log?: CallLog | undefined;
}

export type MoveOutcome = 'moved' | 'duplicate' | 'user_missing' | 'would_be_negative' | 'would_overflow';

export interface Claim {
  readonly kind: ClaimKind;
  /** Of the redemption code or of the top-up order. */
  readonly id: number;
  readonly userId: number;
  /** What the journal says beside it: the name of the code, the number of the order. */
  readonly reason: string;
  readonly nowMs: number;
  /** The log row of the credit; its quota is filled in. */
  readonly log: CallLog;
}

/**
 * `taken`: used or switched off before. `expired`: past its time. `missing`: there is none, or it is another user's.
 */
export type ClaimOutcome =
  | { readonly state: 'claimed'; readonly quotaUnits: number; readonly userQuotaUnits: number }
  | { readonly state: 'missing' | 'taken' | 'expired' | 'user_missing' | 'would_overflow' };
