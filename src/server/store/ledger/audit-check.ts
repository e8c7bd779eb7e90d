/** An invariant: a query that returns the rows that violate it. */
export interface Check {
  readonly name: string;
  /** Selects one column `broken`, in SQL that both engines understand; `:now` is the time. */
  readonly sql: string;
}
