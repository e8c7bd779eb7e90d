import type { Binding, ForgottenSessions } from './session-bindings.ts';

/** A session and the seat that answered it, as stored for the next start of the process. */
export interface BoundSession extends Binding {
  /** A keyed hash: the session's own name is not stored. */
  readonly id: string;
  /** How many of its calls were answered, as far as is known. */
  readonly answers: number;
  readonly usedAtMs: number;
}

/** Which seat answered which session recently. Best effort: losing a row only costs a cold prompt cache. */
export interface BoundSessionStore {
  /** Writes the sessions; of two with the same id the one used last wins. */
  save(sessions: readonly BoundSession[]): Promise<void>;
  /**
   * Returns the sessions used since then, least recently used first; if there are more than `most`, the ones used last.
   */
  usedSince(sinceMs: number, most: number): Promise<readonly BoundSession[]>;
  forget(which: ForgottenSessions): Promise<void>;
  /** Deletes sessions not used since then; of the rest, about `most` remain, those used last. */
  prune(sinceMs: number, most: number): Promise<void>;
}
