/**
 * How long an upstream keeps a response that nobody deletes: OpenAI's own limit, and no upstream is known to keep
 * longer.
 */
export const KEPT_FOR_MS = 30 * 24 * 3_600_000;

/** Longer than the id of any response. */
export const KEPT_ID_MAX_LENGTH = 200;

/** Where a kept response, item or conversation is: only this channel has it, and only this user may ask for it. */
export interface KeptResponse {
  readonly userId: number;
  /** The upstream's own id, which the caller sees too. */
  readonly responseId: string;
  /** 0 for the playground. */
  readonly tokenId: number;
  readonly channelId: number;
  /** The id of the channel's key that made it, 0 for its only one: another key may belong to another account. */
  readonly keyIndex: number;
  /** The caller's name of the model, for endpoints with the model in the path. */
  readonly model: string;
  /** The tokens of the conversation up to its end, which are read again by the next turn; 0 if it is not known. */
  readonly contextTokens: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Finds kept responses by owner and id. */
export interface KeptResponseStore {
  /** Replaces an earlier one of the same owner and id. */
  add(responses: readonly KeptResponse[]): Promise<void>;
  find(userId: number, responseId: string, nowMs: number): Promise<KeptResponse | undefined>;
  /** All kept responses with one of these ids, of any owner. */
  holders(responseIds: readonly string[], nowMs: number): Promise<readonly KeptResponse[]>;
  forget(userId: number, responseId: string): Promise<void>;
  deleteExpired(nowMs: number): Promise<void>;
}
