import type { AllowanceDay } from '../cost/allowance-use.ts';
import type { CallLog } from '../log/log.ts';
import type { Claim, ClaimKind, Growth, Hold, JournalKind, Movement, Settlement } from './ledger.ts';

/** A user's money during a batch. `changed`: write it back afterwards. */
export interface UserAccount {
  readonly id: number;
  quota: number;
  held: number;
  used: number;
  requestCount: number;
  /** Invite earnings not yet turned into quota. */
  earned: number;
  /** Enabled and not deleted. */
  readonly active: boolean;
  changed: boolean;
}

/** A token as a batch of the ledger sees it; amounts in quota units. */
export interface TokenAccount {
  readonly id: number;
  readonly userId: number;
  remain: number;
  held: number;
  used: number;
  /** Units that were created because the token was used beyond its budget, or has none. */
  issuedNow: number;
  accessedAtMs: number;
  readonly unlimited: boolean;
  readonly active: boolean;
  changed: boolean;
}

/** A hold as a batch of the ledger sees it, in quota units. `houseLoss` is the part nobody paid. */
export interface HoldRecord {
  readonly id: string;
  readonly userId: number;
  readonly tokenId: number | null;
  amount: number;
  /** Units the token contributed: 0 if it was unlimited. */
  tokenAmount: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  state: 'open' | 'settled' | 'voided';
  settled: number;
  houseLoss: number;
  /** The part of the amount that is not given back, because the user's quota was set while it was held. */
  keptUnits: number;
  sent: boolean;
  checkpoint: number;
  closedAtMs: number | null;
  readonly isNew: boolean;
  hasGrown: boolean;
  changed: boolean;
}

/** A redemption code or a top-up order: quota waiting to be claimed. */
export interface Voucher {
  readonly kind: ClaimKind;
  readonly id: number;
  readonly quotaUnits: number;
  /** The user who may claim it; null if anybody may. */
  readonly ownerId: number | null;
  readonly expiresAtMs: number | null;
  isOpen: boolean;
  /** Undefined unless it was claimed in this batch. */
  claimed: { readonly userId: number; readonly atMs: number } | undefined;
}

/** A day of a free allowance, with what was given of it. `changed`: write it back afterwards. */
export interface AllowanceAccount extends AllowanceDay {
  given: number;
  changed: boolean;
}

/** A row of the journal, with the balance right after it. */
export type JournalEntry = Omit<Movement, 'kind' | 'toUnits' | 'read' | 'log'> & {
  readonly kind: JournalKind;
  readonly earnedUnits: number;
  readonly quotaAfterUnits: number;
};

/** A row of the log and the hourly sums. */
export interface LogEntry {
  readonly log: CallLog;
  /** The hold it belongs to; empty if none. */
  readonly holdId: string;
  readonly quotaUnits: number;
  /** False if it counts only in the sums. */
  readonly written: boolean;
}

/** Everything one batch may touch, loaded and locked before it starts. */
export interface Book {
  readonly users: Map<number, UserAccount>;
  readonly tokens: Map<number, TokenAccount>;
  readonly holds: Map<string, HoldRecord>;
  /** (kind, ref) of the batch's movements that already exist, in the form of `movementKey`. */
  readonly movements: Set<string>;
  /** Who made the calls to be closed, by hold. */
  readonly names: Map<string, { readonly username: string; readonly tokenName: string }>;
  /** The codes and orders of the batch's claims, in the form of `voucherKey`. */
  readonly vouchers: Map<string, Voucher>;
  /** The days of free allowances that the batch's calls use, by `allowanceKey`. */
  readonly allowances: Map<string, AllowanceAccount>;
  readonly moved: JournalEntry[];
  readonly logs: LogEntry[];
  /** The open holds of users whose quota is set in this batch, without those in `holds`: another node is writing them. */
  readonly openHolds: OpenHold[];
}

/** A hold that a batch only reads. */
export interface OpenHold {
  readonly id: string;
  readonly userId: number;
  readonly amount: number;
}

/** One operation of a batch that the ledger writes in one transaction. */
export type LedgerOp =
  | { readonly op: 'hold'; readonly hold: Hold }
  | { readonly op: 'grow'; readonly growth: Growth }
  | { readonly op: 'settle'; readonly settlement: Settlement }
  | { readonly op: 'void'; readonly id: string; readonly nowMs: number; readonly log: CallLog | undefined }
  | { readonly op: 'checkpoint'; readonly id: string; readonly quotaUnits: number }
  | { readonly op: 'move'; readonly movement: Movement }
  | { readonly op: 'claim'; readonly claim: Claim }
  /** A hold that was open when its user's quota was set: this part of it is not given back. */
  | { readonly op: 'keep'; readonly id: string; readonly quotaUnits: number; readonly nowMs: number }
  | { readonly op: 'resolve'; readonly id: string; readonly nowMs: number }
  /** A log row that is not a call. */
  | { readonly op: 'note'; readonly log: CallLog };

/** The unique key of a movement: its kind and its reference. */
export const movementKey = ({ kind, ref }: { readonly kind: string; readonly ref: string }): string =>
  `${kind} ${ref}`;

/** The unique key of a voucher: its kind and its id. */
export const voucherKey = ({ kind, id }: { readonly kind: ClaimKind; readonly id: number }): string =>
  `${kind} ${id}`;
