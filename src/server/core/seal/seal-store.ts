import type { SealedCall, SealedMovement, Signed } from './lines.ts';
import type { ListOwner, SealedPart, SumsBefore } from './sealed-parts.ts';

/** The last ids covered, of logs and of the journal. */
export interface Marks {
  readonly callId: number;
  readonly movementId: number;
}

/** A stored seal: its signed line, and the last rows it covers. */
export interface StoredSeal extends Signed, Marks {
  readonly number: number;
  /** UTC: `2026-10-31`. */
  readonly day: string;
  readonly madeAtMs: number;
}

/** A stored key that signs seals, with its private half encrypted. */
export interface StoredSealKey extends Signed {
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

/** The right to seal, which one node has at a time. Writing under it fails once another node has it. */
export interface SealClaim {
  /** Extends the claim by two more minutes. */
  renew(nowMs: number): Promise<void>;
  /** Removes what an interrupted run has written for this seal. */
  dropUnfinished(number: number): Promise<void>;
  addParts(parts: readonly SealedPart[]): Promise<void>;
  /** Stores the seal; from then on it counts, with its parts. */
  addSeal(seal: StoredSeal): Promise<void>;
  addKey(key: StoredSealKey): Promise<void>;
  release(): Promise<void>;
}

/** Stores seals and reads the rows they are made of. */
export interface SealStore {
  /** Claims the right to seal; undefined while another node has it. */
  claim(nowMs: number): Promise<SealClaim | undefined>;
  last(): Promise<StoredSeal | undefined>;
  /** Oldest first. */
  keys(): Promise<readonly StoredSealKey[]>;
  /** The seals above a number, at most `limit`. */
  sealsAfter(number: number, limit: number): Promise<readonly StoredSeal[]>;
  /**
   * The last ids before which no row can appear any more; waits for transactions in progress. Throws `unavailable` if
   * that takes long.
   */
  writtenUpTo(): Promise<Marks>;
  /** How many charged calls and movements there are above these marks, counted up to `most`. */
  countAfter(marks: Marks, most: number): Promise<number>;
  /** Charged calls by id, ascending. */
  calls(span: IdSpan, limit: number): Promise<readonly SealedCall[]>;
  /** Movements that changed a balance, by id, ascending. */
  movements(span: IdSpan, limit: number): Promise<readonly SealedMovement[]>;
  /** The count and sum of each list in finished seals, in the order of `owners`. */
  sumsBefore(owners: readonly ListOwner[]): Promise<readonly SumsBefore[]>;
}

/** A part, and the range of ids its rows lie in; rows of other parts lie there, too. */
export interface PartWithSpan extends SealedPart {
  readonly span: IdSpan;
}

/** Reads from the database what proves a receipt or a statement. */
export interface ProofStore {
  /** A charged call by its request id; with `userId`, only if that user made it. */
  callOfRequest(requestId: string, userId: number | undefined): Promise<SealedCall | undefined>;
  /** The seal that covers the row with this id; undefined before there is one. */
  sealOfCall(callId: number): Promise<StoredSeal | undefined>;
  /** The parts of a user's month, by list and seal. */
  partsOf(userId: number, month: string): Promise<readonly PartWithSpan[]>;
  /** The ids of a part's rows that still exist, ascending. */
  idsOf(part: PartWithSpan): Promise<readonly number[]>;
  callsById(ids: readonly number[]): Promise<readonly SealedCall[]>;
  movementsById(ids: readonly number[]): Promise<readonly SealedMovement[]>;
  /** Log rows older than this (ms) may have been cleared, newer ones were not; 0 if none ever was. */
  clearedBeforeMs(): Promise<number>;
}
