import type { Statement } from '#contract/api/statements.ts';

/** An account, one of its tokens, or a tag of them: all those that had it when the month ended. */
export interface StatementOwner {
  readonly userId: number;
  /** 0 for the whole account or a tag. */
  readonly tokenId: number;
  /** '' for the whole account or a token. */
  readonly tag: string;
}

/** What was charged in a stretch of time to one user, token or tag. */
export interface ChargedSum {
  readonly userId: number;
  /** 0 where it is not of one token. */
  readonly tokenId: number;
  /** Of the user, the token or the tag, today. */
  readonly name: string;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly units: number;
}

/** What was charged in a month so far. */
export interface ChargedSums {
  /** The dearest first. */
  readonly lines: readonly ChargedSum[];
  /** Of all, also of those that are not among the lines. */
  readonly totalUnits: number;
  readonly totalCalls: number;
}

/** A statement that never changes any more. */
export interface IssuedStatement {
  readonly statement: Statement;
  /** Of the statement as JSON. */
  readonly sha256: string;
}

/** Which sums of a month (UTC, `2026-10`) are wanted; without `userId` those of everybody. */
export interface SumsFilter {
  readonly userId?: number;
  readonly by: 'user' | 'token' | 'tag';
  readonly month: string;
  /** How many lines at most. */
  readonly most: number;
}

/** Statements, and what the ledger says of a month. */
export interface StatementStore {
  /** Whether there is such an account, the token is its own, and one of its tokens ever had the tag; deleted ones are. */
  exists(owner: StatementOwner): Promise<boolean>;
  /** When anything was first charged or moved; undefined where nothing was. */
  firstMs(owner: StatementOwner): Promise<number | undefined>;
  issued(owner: StatementOwner): Promise<readonly IssuedStatement[]>;
  find(owner: StatementOwner, month: string): Promise<IssuedStatement | undefined>;
  /**
   * Issues the statement of a month that has ended. Whoever is second gets what the first has issued. The months before
   * that have one must have been issued in their order.
   */
  issue(owner: StatementOwner, month: string, nowMs: number): Promise<IssuedStatement>;
  /** What was charged in a month so far, all of one moment; of everybody where no user is given. */
  sums(filter: SumsFilter): Promise<ChargedSums>;
}
