/** Mailed permissions to replace a password, by the hash of their token. */
export interface PasswordResetStore {
  /** A user's earlier one ends. */
  create(reset: {
    readonly tokenHash: string;
    readonly userId: number;
    readonly expiresAtMs: number;
  }): Promise<void>;
  /** Uses it up: true once, and only before its time is over. */
  take(tokenHash: string, userId: number, nowMs: number): Promise<boolean>;
  deleteExpired(nowMs: number): Promise<void>;
}
