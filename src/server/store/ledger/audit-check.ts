/** One invariant: a query whose rows are what breaks it. */
export interface Check {
  readonly name: string;
  /** Selects one column `broken`, in words both engines understand; `:now` is the time. */
  readonly sql: string;
}
