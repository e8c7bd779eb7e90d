import type { Statement } from '#contract/api/wallet/statements.ts';

/** An account, one of its tokens, or a tag: all tokens that had it when the month ended. */
export interface StatementOwner {
  readonly userId: number;
  /** 0 for the whole account or a tag. */
  readonly tokenId: number;
  /** '' for the whole account or a token. */
  readonly tag: string;
}

/** What one user, token or tag was charged in a time span. */
export interface ChargedSum {
  readonly userId: number;
  /** 0 if the sum is not for one token. */
  readonly tokenId: number;
  /** The current name of the user or token, or the tag. */
  readonly name: string;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly units: number;
}

/** The charges of a month so far. */
export interface ChargedSums {
  /** Highest charge first. */
  readonly lines: readonly ChargedSum[];
  /** The sum of all charges, including those without a line. */
  readonly totalUnits: number;
  readonly totalCalls: number;
}

/** A statement that never changes again. */
export interface IssuedStatement {
  readonly statement: Statement;
  /** SHA-256 of the statement's JSON. */
  readonly sha256: string;
}

/** When a statement is issued, and how many units are a dollar then. */
export interface IssuedAt {
  readonly nowMs: number;
  readonly unitsPerDollar: number;
}

/** Which sums of a month (UTC, `2026-10`) to read; without `userId` those of all users. */
export interface SumsFilter {
  readonly userId?: number;
  readonly by: 'user' | 'token' | 'tag';
  readonly month: string;
  /** The maximum number of lines. */
  readonly most: number;
}

/** Stores statements and reads the ledger's figures for a month. */
export interface StatementStore {
  /**
   * Whether the account exists, the token belongs to it, and one of its tokens ever had the tag; deleted ones count.
   */
  exists(owner: StatementOwner): Promise<boolean>;
  /** When something was first charged or moved; undefined if nothing ever was. */
  firstMs(owner: StatementOwner): Promise<number | undefined>;
  issued(owner: StatementOwner): Promise<readonly IssuedStatement[]>;
  find(owner: StatementOwner, month: string): Promise<IssuedStatement | undefined>;
  /**
   * Issues the statement of a month that has ended. If it was issued already, returns that one. Earlier months must be
   * issued first, in order.
   */
  issue(owner: StatementOwner, month: string, at: IssuedAt): Promise<IssuedStatement>;
  /** The charges of a month so far, all read at one moment; for all users if none is given. */
  sums(filter: SumsFilter): Promise<ChargedSums>;
}
