import type { SessionStore } from '#core/session/session-store.ts';
import type { Database } from './database.ts';

/** Sessions in the database. */
export const createSessionStore = ({ writer }: Database): SessionStore => ({
  create: async (idHash, session) => {
    await writer
      .insertInto('sessions')
      .values({
        id_hash: idHash,
        user_id: session.userId,
        created_at: session.createdAtMs,
        last_seen_at: session.lastSeenAtMs,
        expires_at: session.expiresAtMs,
        ip: session.ip,
        user_agent: session.userAgent,
      })
      .execute();
  },
  find: async (idHash) => {
    const row = await writer
      .selectFrom('sessions')
      .selectAll()
      .where('id_hash', '=', idHash)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      userId: row.user_id,
      createdAtMs: row.created_at,
      lastSeenAtMs: row.last_seen_at,
      expiresAtMs: row.expires_at,
    };
  },
  touch: async (idHash, lastSeenAtMs) => {
    await writer
      .updateTable('sessions')
      .set({ last_seen_at: lastSeenAtMs })
      .where('id_hash', '=', idHash)
      .execute();
  },
  end: async (idHash) => {
    await writer.deleteFrom('sessions').where('id_hash', '=', idHash).execute();
  },
  endAllOf: async (userId, exceptIdHash) => {
    const all = writer.deleteFrom('sessions').where('user_id', '=', userId);
    await (exceptIdHash === undefined ? all : all.where('id_hash', '!=', exceptIdHash)).execute();
  },
  deleteExpired: async (nowMs) => {
    await writer.deleteFrom('sessions').where('expires_at', '<=', nowMs).execute();
  },
});
