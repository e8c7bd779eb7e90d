import type { Generated, Selectable } from 'kysely';

/* The tables of migrations/0036-seals.ts as the query builder sees them. */

interface SealsTable {
  number: number;
  day: string;
  made_at: number;
  last_log_id: number;
  last_journal_id: number;
  line: string;
  signature: string;
}

interface SealPartsTable {
  user_id: number;
  month: string;
  list: 'calls' | 'movements';
  seal: number;
  row_count: number;
  units: number;
  count_before: number;
  units_before: number;
  from_ms: number;
  to_ms: number;
  root: string;
  place: number;
  size: number;
  /** Hashes, separated by spaces. */
  path: string;
}

interface SealKeysTable {
  number: Generated<number>;
  key_id: string;
  public_key: string;
  private_encrypted: string;
  first_seal: number;
  made_at: number;
  line: string;
  signature: string;
}

export interface SealTables {
  seals: SealsTable;
  seal_parts: SealPartsTable;
  seal_keys: SealKeysTable;
}

export type SealRecord = Selectable<SealsTable>;
export type SealPartRecord = Selectable<SealPartsTable>;
