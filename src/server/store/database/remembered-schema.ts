/** migrations/0032-remembered-by-relays.ts explains the columns. */
interface SeatDaysTable {
  seat: number;
  piece: number;
  calls: number;
}

interface BoundSessionsTable {
  id: string;
  user_id: number;
  channel_id: number;
  key_id: number;
  model: string;
  answers: number;
  /** 0 if it is not known. */
  prompt_tokens: number;
  /** In milliseconds. */
  used_at: number;
}

export interface RememberedTables {
  seat_days: SeatDaysTable;
  bound_sessions: BoundSessionsTable;
}
