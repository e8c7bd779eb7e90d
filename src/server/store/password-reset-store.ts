import type { PasswordResetStore } from '#core/user/password-reset-store.ts';
import type { Database } from './database.ts';

/** Password resets in the database. */
export const createPasswordResetStore = ({ writer }: Database): PasswordResetStore => ({
  create: ({ tokenHash, userId, expiresAtMs }) =>
    writer.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('password_resets').where('user_id', '=', userId).execute();
      await transaction
        .insertInto('password_resets')
        .values({ token_hash: tokenHash, user_id: userId, expires_at: expiresAtMs })
        .execute();
    }),
  take: async (tokenHash, userId, nowMs) => {
    const { numDeletedRows } = await writer
      .deleteFrom('password_resets')
      .where('token_hash', '=', tokenHash)
      .where('user_id', '=', userId)
      .where('expires_at', '>', nowMs)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },
  deleteExpired: async (nowMs) => {
    await writer.deleteFrom('password_resets').where('expires_at', '<=', nowMs).execute();
  },
});
