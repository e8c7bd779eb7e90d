/** One invariant of the money, checked on a live database. */
export interface AuditFinding {
  /** `A03 user held = open holds` */
  readonly check: string;
  /** How many rows break it; 0 is clean. */
  readonly violations: number;
  /** One of them, to start looking. */
  readonly example: string | null;
}
