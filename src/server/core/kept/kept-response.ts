/** How long an upstream keeps a response that nobody deletes; OpenAI's own time, and nobody is known to keep longer. */
export const KEPT_FOR_MS = 30 * 24 * 3_600_000;

/** Longer ids are no response's. */
export const KEPT_ID_MAX_LENGTH = 200;

/**
 * Where a response, one of its items or a conversation is that an upstream keeps: only this channel knows it, and only
 * this user may ask for it.
 */
export interface KeptResponse {
  readonly userId: number;
  /** The upstream's own id, as the caller knows it too. */
  readonly responseId: string;
  /** 0 in the playground. */
  readonly tokenId: number;
  readonly channelId: number;
  /** Which of the channel's keys it was made with: another one may belong to another account. */
  readonly keyIndex: number;
  /** The caller's name of the model, for addresses that hold it. */
  readonly model: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Finds kept responses again, by owner and id. */
export interface KeptResponseStore {
  /** A second one of the same owner and id takes the place of the first. */
  add(responses: readonly KeptResponse[]): Promise<void>;
  find(userId: number, responseId: string, nowMs: number): Promise<KeptResponse | undefined>;
  /** Whoever has one of these ids. */
  holders(responseIds: readonly string[], nowMs: number): Promise<readonly KeptResponse[]>;
  forget(userId: number, responseId: string): Promise<void>;
  deleteExpired(nowMs: number): Promise<void>;
}
