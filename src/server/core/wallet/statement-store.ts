import type { Statement } from '#contract/api/statements.ts';

/** An account, or one of its tokens. */
export interface StatementOwner {
  readonly userId: number;
  /** 0 for the whole account. */
  readonly tokenId: number;
}

export interface IssuedStatement {
  readonly statement: Statement;
  /** Of the statement as JSON. */
  readonly sha256: string;
}

/** Statements, and what the ledger says of a month. */
export interface StatementStore {
  /** Whether there is such an account, and the token is its own; deleted ones are. */
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
}
