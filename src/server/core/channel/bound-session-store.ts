import type { Binding, ForgottenSessions } from './session-bindings.ts';

/** A session that was answered by a seat, as it is kept for the next run. */
export interface BoundSession extends Binding {
  /** A keyed hash: the session's own name is nowhere. */
  readonly id: string;
  /** How many of its calls were answered, as far as that is known. */
  readonly answers: number;
  readonly usedAtMs: number;
}

/** Which seat answered which session lately. Best effort: what is lost costs a cold prompt. */
export interface BoundSessionStore {
  /** Writes them; of two with the same id the one that was used last stays. */
  save(sessions: readonly BoundSession[]): Promise<void>;
  /** Those used since, the ones used longest ago first; of more than `most` the ones used last. */
  usedSince(sinceMs: number, most: number): Promise<readonly BoundSession[]>;
  forget(which: ForgottenSessions): Promise<void>;
  /** Deletes those not used since then; of the rest about the `most` that were used last stay. */
  prune(sinceMs: number, most: number): Promise<void>;
}
