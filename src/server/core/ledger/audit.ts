/** The result of one consistency check of the money, run on a live database. */
export interface AuditFinding {
  /** `A03 user held = open holds` */
  readonly check: string;
  /** How many rows violate it; 0 is clean. */
  readonly violations: number;
  /** One of them, as a starting point. */
  readonly example: string | null;
}
