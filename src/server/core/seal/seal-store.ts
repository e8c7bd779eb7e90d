import type { SealedCall, SealedMovement, Signed } from './lines.ts';
import type { ListOwner, SealedPart, SumsBefore } from './sealed-parts.ts';

/** The ids of the last rows of logs and journal that are meant. */
export interface Marks {
  readonly callId: number;
  readonly movementId: number;
}

/** A seal as it is kept: its signed line, and up to which rows it goes. */
export interface KeptSeal extends Signed, Marks {
  readonly number: number;
  /** UTC: `2026-10-31`. */
  readonly day: string;
  readonly madeAtMs: number;
}

/** A key that signs seals as it is kept, its private half encrypted. */
export interface KeptKey extends Signed {
  readonly id: string;
  readonly publicKey: string;
  /** Encrypted for the place `seal_key:<id>`. */
  readonly privateEncrypted: string;
  readonly firstSeal: number;
  readonly madeAtMs: number;
}

/** Rows with an id above `after`, up to `upTo`. */
export interface IdSpan {
  readonly after: number;
  readonly upTo: number;
}

/** The right to seal, which one node has at a time. Whatever is written under it fails once somebody else has it. */
export interface SealClaim {
  /** Keeps it for two more minutes. */
  renew(nowMs: number): Promise<void>;
  /** Forgets what a run that broke off has written for this seal. */
  dropUnfinished(number: number): Promise<void>;
  addParts(parts: readonly SealedPart[]): Promise<void>;
  /** The seal counts from here on, with its parts. */
  addSeal(seal: KeptSeal): Promise<void>;
  addKey(key: KeptKey): Promise<void>;
  release(): Promise<void>;
}

/** Seals and what they are made of. */
export interface SealStore {
  /** Takes the right to seal; undefined while another has it. */
  claim(nowMs: number): Promise<SealClaim | undefined>;
  last(): Promise<KeptSeal | undefined>;
  /** In their order. */
  keys(): Promise<readonly KeptKey[]>;
  /** Those above a number, at most so many. */
  sealsAfter(number: number, limit: number): Promise<readonly KeptSeal[]>;
  /**
   * The last rows before which nothing can appear any more: what is being written is waited for. Throws `unavailable` where
   * that takes long.
   */
  writtenUpTo(): Promise<Marks>;
  /** How many charged calls and movements are there above these marks; counted up to `most`. */
  countAfter(marks: Marks, most: number): Promise<number>;
  /** Charged calls, in the order of their ids. */
  calls(span: IdSpan, limit: number): Promise<readonly SealedCall[]>;
  /** Movements that changed a balance, in the order of their ids. */
  movements(span: IdSpan, limit: number): Promise<readonly SealedMovement[]>;
  /** Count and sum of what finished seals have of each list, in the order in which they are asked for. */
  sumsBefore(owners: readonly ListOwner[]): Promise<readonly SumsBefore[]>;
}

/** A part, and between which ids its rows lie; others lie there too. */
export interface PartWithSpan extends SealedPart {
  readonly span: IdSpan;
}

/** What is read from the database again to prove a receipt or a statement. */
export interface ProofStore {
  /** A charged call by its request id; with `userId`, only of that user. */
  callOfRequest(requestId: string, userId: number | undefined): Promise<SealedCall | undefined>;
  /** The seal that has the row with this id, if it has come. */
  sealOfCall(callId: number): Promise<KeptSeal | undefined>;
  /** Of a user and month, by list and seal. */
  partsOf(userId: number, month: string): Promise<readonly PartWithSpan[]>;
  /** The ids of the rows that are there of a part, ascending. */
  idsOf(part: PartWithSpan): Promise<readonly number[]>;
  callsById(ids: readonly number[]): Promise<readonly SealedCall[]>;
  movementsById(ids: readonly number[]): Promise<readonly SealedMovement[]>;
  /** Rows of the logs older than this (ms) may have been cleared, later ones were not; 0 where none was. */
  clearedBeforeMs(): Promise<number>;
}
